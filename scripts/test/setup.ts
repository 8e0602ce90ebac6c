import { endFile } from '@atrium/server-kit/test-database.ts'
import { afterAll } from 'vitest'

afterAll(endFile)
