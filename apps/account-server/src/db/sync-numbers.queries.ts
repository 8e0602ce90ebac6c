import type { Reader } from '@atrium/server-kit/database.ts'
import { sql } from 'drizzle-orm'

/** To be drawn before a provider is read for a projection (`syncNumbers`). */
export async function nextSyncNumber(db: Reader): Promise<number> {
  const { rows } = await db.execute<{ next: string }>(sql`select nextval('account.sync_numbers') as next`)
  return Number(rows[0]?.next)
}
