import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { businessClock } from './clock.tables.ts'

const clockRow = prepared('sandbox_clock', (db, name) => db.select().from(businessClock).prepare(name))

/** The moment on the business clock, which everything that a customer pays for follows. @param real the real time */
export async function businessNow(db: Reader, real: Date): Promise<Date> {
  const [row] = await clockRow(db).execute()
  if (!row) return real
  return row.standsAt ?? new Date(real.getTime() + row.ahead)
}

/** The moment at which it stands; `undefined` while it runs. */
export async function standingAt(db: Reader): Promise<Date | undefined> {
  const [row] = await clockRow(db).execute()
  return row?.standsAt ?? undefined
}
