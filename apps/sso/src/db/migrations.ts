import { join } from 'node:path'

export const migrationsFolder = join(import.meta.dirname, '../../migrations')

/** PostgreSQL schema with the list of applied migrations. */
export const migrationsSchema = 'sso'
