import { join } from 'node:path'

/** As account-server runs them when it starts. */
export const migrations = {
  program: 'account-server',
  folder: join(import.meta.dirname, '../../migrations'),
  table: 'account',
} as const
