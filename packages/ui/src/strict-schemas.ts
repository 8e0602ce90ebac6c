import { config } from 'zod/v4/core'

// The page's policy forbids code from text, which zod's JIT parsing is; even its feature test would be reported. Import before
// any schema.
config({ jitless: true })
