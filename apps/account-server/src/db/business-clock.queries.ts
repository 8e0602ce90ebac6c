import type { Db } from '@atrium/server-kit/database.ts'
import { businessClock } from './business-clock.tables.ts'

interface ClockSettings {
  BUSINESS_CLOCK: 'real' | 'movable'
}

/** Milliseconds that business time is ahead of real time; 0 unless it may be moved. */
export async function aheadOfRealTime(db: Db, { BUSINESS_CLOCK: kind }: ClockSettings): Promise<number> {
  if (kind === 'real') return 0
  const [row] = await db.select().from(businessClock)
  return row?.milliseconds ?? 0
}

/** Business time for a command, as it is while that begins: a trial may have moved it. */
export async function businessTime(db: Db, settings: ClockSettings): Promise<() => Date> {
  const ahead = await aheadOfRealTime(db, settings)
  return () => new Date(Date.now() + ahead)
}
