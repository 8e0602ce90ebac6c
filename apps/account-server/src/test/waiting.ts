import type { Tx } from '@atrium/server-kit/database.ts'
import { expect } from 'vitest'
import type { newWorld } from './world.ts'

/** Resolves when a number of statements in this file's database wait for a lock. */
export function untilWaiting({ db }: Pick<Awaited<ReturnType<typeof newWorld>>, 'db'>, count: number) {
  const waiting = async () => {
    const { rows } = await db.execute(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return rows
  }
  return expect.poll(waiting).toHaveLength(count)
}

interface Meanwhile<First, Second> {
  /** Locks what `act` waits for. */
  hold: (tx: Tx) => Promise<unknown>
  act: () => Promise<First>
  next: () => Promise<Second>
}

/** Something begins while an act is under way, which waits for a row that something else holds. */
export async function meanwhile<First, Second>(
  world: Pick<Awaited<ReturnType<typeof newWorld>>, 'db'>,
  { hold, act, next }: Meanwhile<First, Second>,
): Promise<[First, Second]> {
  const [first, second] = await world.db.transaction(async (tx) => {
    await hold(tx)
    const acting = act()
    await untilWaiting(world, 1)
    const other = next()
    await untilWaiting(world, 2)
    return [[acting], [other]] as const
  })
  return [await first[0], await second[0]]
}
