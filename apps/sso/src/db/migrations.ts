import { join } from 'node:path'

export const migrationsFolder = join(import.meta.dirname, '../../migrations')

/** PostgreSQL schema of the list of migrations that were run. */
export const migrationsSchema = 'sso'
