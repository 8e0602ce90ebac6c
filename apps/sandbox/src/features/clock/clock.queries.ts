import type { Reader } from '@atrium/server-kit/database.ts'
import { businessClock } from './clock.tables.ts'

/** The moment on the business clock, which everything that a customer pays for follows. @param real the real time */
export async function businessNow(db: Reader, real: Date): Promise<Date> {
  const [row] = await db.select().from(businessClock)
  if (!row) return real
  return row.standsAt ?? new Date(real.getTime() + row.ahead)
}

/** The moment at which it stands; `undefined` while it runs. */
export async function standingAt(db: Reader): Promise<Date | undefined> {
  const [row] = await db.select({ standsAt: businessClock.standsAt }).from(businessClock)
  return row?.standsAt ?? undefined
}
