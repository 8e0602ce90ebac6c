import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { AccountConfig } from './config.ts'
import { aheadOfRealTime } from './db/business-clock.queries.ts'
import { businessClock } from './db/business-clock.tables.ts'

interface BusinessClock {
  now(): Date
  /** @throws Problem `clock_only_forward` for a moment more than a minute before the present one */
  moveTo(now: Date): Promise<void>
}

/** Ours runs on while the sandbox's stands at a step and does what is due, in milliseconds. */
const mostAhead = 60_000

/** Real time, or, where `BUSINESS_CLOCK` is `movable`, as far ahead of it as it was moved. For a single copy of the server. */
export async function openBusinessClock(db: Db, config: Pick<AccountConfig, 'BUSINESS_CLOCK'>) {
  let milliseconds = await aheadOfRealTime(db, config)
  const now = () => new Date(Date.now() + milliseconds)

  return {
    now,
    async moveTo(to: Date) {
      if (to.getTime() < now().getTime() - mostAhead) throw new Problem('clock_only_forward')
      milliseconds = to.getTime() - Date.now()
      const row = { milliseconds }
      await db.insert(businessClock).values(row).onConflictDoUpdate({ target: businessClock.id, set: row })
    },
  } satisfies BusinessClock
}

const move = {
  method: 'PUT',
  path: '/business-clock/',
  access: 'device',
  summary: 'Moves the business clock, and does what is due until then',
  body: z.object({ now: z.iso.datetime({ offset: true }) }),
  reply: z.object({ now: z.iso.datetime() }),
  problems: { clock_only_forward: 422, clock_not_followed: 503 },
} as const

/** How long the jobs of one step may take. */
const stepMs = 25_000

interface ClockDeps {
  clock: BusinessClock
  jobs: Pick<Jobs, 'unfinished' | 'wake'>
  /** What happens by itself as time passes. */
  passTime(): Promise<void>
  /** Queues that must have done their work before the next step. */
  queues: readonly string[]
}

/** Called by the sandbox for each step of its own clock. Only where the clock is movable. */
export function businessClockRoutes(app: FastifyInstance, { clock, jobs, passTime, queues }: ClockDeps): void {
  const finishJobs = async () => {
    const deadline = Date.now() + stepMs
    while ((await jobs.unfinished(queues)) > 0) {
      if (Date.now() > deadline) throw new Problem('clock_not_followed')
      jobs.wake(queues)
      await pause(20)
    }
  }
  serve(app, move, async ({ body }) => {
    await finishJobs()
    await clock.moveTo(new Date(body.now))
    await passTime()
    await finishJobs()
    return { now: clock.now().toISOString() }
  })
}
