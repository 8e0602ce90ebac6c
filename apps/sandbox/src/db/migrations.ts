import { resolve } from 'node:path'
import { migrate } from '@atrium/server-kit/database.ts'

/** Brings the sandbox's tables up to date. */
export function migrateSandbox(url: string): Promise<void> {
  return migrate(url, resolve(import.meta.dirname, '../../migrations'), 'sandbox')
}
