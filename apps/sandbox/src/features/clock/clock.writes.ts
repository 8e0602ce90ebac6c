import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { businessClock } from './clock.tables.ts'

/** Stops the clock at a moment, until it is released. */
export async function holdClock(tx: Tx | Db, at: Date): Promise<void> {
  await tx
    .insert(businessClock)
    .values({ ahead: 0, standsAt: at })
    .onConflictDoUpdate({ target: businessClock.id, set: { standsAt: at } })
}

/** Lets the clock run on from a moment. @param real the real time */
export async function releaseClock(db: Db, at: Date, real: Date): Promise<void> {
  const row = { ahead: at.getTime() - real.getTime(), standsAt: null }
  await db.insert(businessClock).values(row).onConflictDoUpdate({ target: businessClock.id, set: row })
}
