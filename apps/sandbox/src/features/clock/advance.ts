import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { PoolClient } from 'pg'
import { businessNow, standingAt } from './clock.queries.ts'
import { holdClock, releaseClock } from './clock.writes.ts'
import type { Due, DueSource } from './due-source.ts'

export interface ClockDeps {
  db: Db
  /** The real time. */
  clock: () => Date
  sources: readonly DueSource[]
}

export interface Step {
  /** What the business clock shows. */
  now: Date
  /** What happened; missing for the last step, which only reaches the wanted moment. */
  due: Due | undefined
}

interface Moved {
  from: Date
  now: Date
  /** What happened on the way, in order. */
  done: Due[]
}

/** PostgreSQL's keys of two locks: one of several moves is refused by the first; what is due happens under the second. */
const moveKey = 7_213_047
const stepsKey = 7_213_048

/** How often a step is tried while requests hold what it needs. */
const mostLocked = 5

/** A source that repeats the same thing is broken, and must not hang the move. */
const mostRepeats = 5

/**
 * Moves the business clock. What is due until then happens one after the other in the order of its moments, each in its own
 * transaction, with the clock standing at its moment. After a kill, the next move continues where it stopped.
 * @param to the moment, or how it follows from the present one
 * @param afterStep called with the clock standing at the step, after what it caused was delivered; the last call is at `to`
 * @throws Problem `clock_is_moving` while another move runs, `clock_only_forward` for a moment in the past
 */
export async function advanceClock(
  deps: ClockDeps,
  to: Date | ((from: Date) => Date),
  afterStep: (step: Step) => Promise<void> = async () => {},
): Promise<Moved> {
  const moved = await withMoveLock(deps.db, () => advance(deps, to, afterStep))
  if (!moved) throw moving()
  return moved
}

const moving = () => new Problem('clock_is_moving', { detail: 'The clock is being moved already.' })

/**
 * Sets the clock back to a moment from which it runs on, so that what is made next has a past. Only while nothing is to come.
 * @throws Problem `clock_is_moving`, `clock_cannot_go_back`
 */
export async function setClockBack(deps: ClockDeps, to: Date): Promise<void> {
  const isBack = await withMoveLock(deps.db, async () => {
    const [next] = await upcoming(deps, 1)
    if (!next) await releaseClock(deps.db, to, deps.clock())
    return next === undefined
  })
  if (isBack === undefined) throw moving()
  if (!isBack)
    throw new Problem('clock_cannot_go_back', { detail: 'The clock goes back only while nothing is to come.' })
}

async function advance(
  deps: ClockDeps,
  wanted: Date | ((from: Date) => Date),
  afterStep: (step: Step) => Promise<void>,
): Promise<Moved> {
  const { db, clock, sources } = deps
  const from = await businessNow(db, clock())
  const to = wanted instanceof Date ? wanted : wanted(from)
  if (to < from) throw new Problem('clock_only_forward', { detail: 'The clock moves only forward.' })
  let now = from
  await holdClock(db, now)
  try {
    const done = await doEverythingDue(deps, to, async (step) => {
      now = step.now
      await Promise.all(sources.map((source) => source.delivered()))
      await afterStep(step)
    })
    now = to
    await holdClock(db, now)
    await afterStep({ now, due: undefined })
    return { from, now, done }
  } finally {
    await releaseClock(db, now, clock())
  }
}

/**
 * Does what has become due by itself, as real time passes, and lets a clock run on that a killed move left standing.
 * @returns how much was done
 */
export async function catchUp(deps: ClockDeps): Promise<number> {
  const { db, clock, sources } = deps
  const isWaiting =
    (await standingAt(db)) !== undefined || (await earliest(deps, await businessNow(db, clock()))) !== undefined
  if (!isWaiting) return 0
  const done = await withLock(db, stepsKey, async () => {
    const now = await businessNow(db, clock())
    await releaseClock(db, now, clock())
    return doEverythingDue(deps, now, async () => {
      await Promise.all(sources.map((source) => source.delivered()))
    })
  })
  return done?.length ?? 0
}

async function doEverythingDue(deps: ClockDeps, until: Date, afterStep: (step: Step) => Promise<void>): Promise<Due[]> {
  const done: Due[] = []
  let repeats = 0
  for (let found = await earliest(deps, until); found; found = await earliest(deps, until)) {
    const { due, source } = found
    const last = done.at(-1)
    repeats = last?.id === due.id && last.at.getTime() === due.at.getTime() ? repeats + 1 : 0
    if (repeats > mostRepeats) throw new Error(`${source.name} repeats «${due.title}».`)

    const now = await retryLocked(() => perform(deps.db, found))
    done.push(due)
    await afterStep({ now, due })
  }
  return done
}

/** @returns the moment at which it happened */
function perform(db: Db, { source, due }: Found): Promise<Date> {
  return db.transaction(async (tx) => {
    const stands = await standingAt(tx)
    // What was overdue already happens now, so that the clock never goes back.
    const at = new Date(Math.max(due.at.getTime(), stands?.getTime() ?? 0))
    if (stands) await holdClock(tx, at)
    await source.perform(tx, due, at)
    return at
  })
}

/** A request of the merchant may hold a row for longer than a step waits; the step is rolled back then, and done again. */
async function retryLocked<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; attempt < mostLocked; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (!isLocked(error)) throw error
    }
  }
  return run()
}

/** PostgreSQL's codes for a lock timeout and a deadlock. */
function isLocked(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && (cause.code === '55P03' || cause.code === '40P01')
}

interface Found {
  source: DueSource
  due: Due
}

async function earliest({ db, sources }: ClockDeps, until: Date): Promise<Found | undefined> {
  let first: Found | undefined
  for (const source of sources) {
    const due = await source.nextDue(db, first?.due.at ?? until)
    if (due && (!first || due.at < first.due.at)) first = { source, due }
  }
  return first
}

/** The next things of all stand-ins, earliest first. */
export async function upcoming({ db, sources }: Omit<ClockDeps, 'clock'>, most: number) {
  const all = await Promise.all(
    sources.map(async (source) => (await source.upcoming(db, most)).map((due) => ({ ...due, source: source.name }))),
  )
  return all
    .flat()
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .slice(0, most)
}

/** Refused during another move; waits while what is due happens by itself. @returns `undefined` if it was refused */
function withMoveLock<Result>(db: Db, run: () => Promise<Result>): Promise<Result | undefined> {
  return withLock(db, moveKey, async (client) => {
    await client.query('select pg_advisory_lock($1)', [stepsKey])
    try {
      return await run()
    } finally {
      await client.query('select pg_advisory_unlock($1)', [stepsKey])
    }
  })
}

/**
 * Runs alone. The lock belongs to a connection, so that a killed program does not keep it.
 * @returns `undefined` if somebody else has the lock
 */
async function withLock<Result>(
  db: Db,
  key: number,
  run: (client: PoolClient) => Promise<Result>,
): Promise<Result | undefined> {
  const client = await db.$client.connect()
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [key])
    if (rows[0]?.locked !== true) return undefined
    try {
      return await run(client)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [key])
    }
  } finally {
    client.release()
  }
}

interface Ticking {
  stop(): Promise<void>
}

/** How often it looks for what has become due as real time passes, in milliseconds. */
const rhythm = 2000

/** Keeps doing what becomes due by itself. @param onError is told of a step that failed; it is tried again */
export function startTicking(deps: ClockDeps, onError: (error: unknown) => void): Ticking {
  const stopping = new AbortController()
  const run = async () => {
    while (!stopping.signal.aborted) {
      await pause(rhythm, undefined, { signal: stopping.signal }).catch(() => {})
      if (!stopping.signal.aborted) await catchUp(deps).catch(onError)
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
