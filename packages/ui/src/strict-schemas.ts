import { config } from 'zod/v4/core'

// The page's policy forbids code from text, and zod's faster parsing is exactly that: even trying it would be reported.
// Imported before any schema is made.
config({ jitless: true })
