import { expect, vi } from 'vitest'
import type { newWorld } from './world.ts'

/** Resolves when a number of statements in this file's database wait for a lock. */
export function untilWaiting({ db }: Pick<Awaited<ReturnType<typeof newWorld>>, 'db'>, count: number) {
  return vi.waitFor(
    async () => {
      const { rows } = await db.execute(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      expect(rows).toHaveLength(count)
    },
    { timeout: 10_000 },
  )
}
