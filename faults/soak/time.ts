import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from '../stage.ts'
import { passRetryPauses } from '../stage-time.ts'

const dayMs = 86_400_000

/** At most so far account-server's clock is moved at once: ends and reminders are looked for at every move. */
const strideMs = 3 * dayMs

/** Moves account-server's business clock to where the providers' is, while its jobs follow. */
export async function followClock(stage: Stage, { from, to }: { from: Date; to: Date }): Promise<void> {
  for (let at = from.getTime(); at < to.getTime(); ) {
    at = Math.min(at + strideMs, to.getTime())
    while (!(await setClock(stage, new Date(at)))) {
      await passRetryPauses(stage)
      await pause(100)
    }
  }
}

async function setClock({ url }: Stage, now: Date): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/business-clock/`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ now: now.toISOString() }),
      signal: AbortSignal.timeout(40_000),
    })
    await reply.body?.cancel()
    // 422: it has run on past this moment.
    return reply.ok || reply.status === 422
  } catch {
    return false
  }
}

/** Two years of events are read by the hour here, which the sandbox is not made for. */
export async function indexEvents({ query }: Stage): Promise<void> {
  await query("create index soak_events on sandbox.card_objects (created) where kind = 'event'", [])
  await query("create index soak_paypal_events on sandbox.paypal_objects (created_at) where kind = 'event'", [])
}

/** Jobs that are done are removed, which happens by itself after a week. */
export async function removeDoneJobs({ query }: Stage): Promise<void> {
  await query("delete from account_jobs.job where state = 'completed'", [])
}

/** Lets the providers' lists of events be read, a week of them, unless it is about to be. */
export async function readMissedEvents({ query }: Stage): Promise<void> {
  await query(
    `insert into account_jobs.job (name) select 'payments.missed-events'
     where not exists (select from account_jobs.job where name = 'payments.missed-events' and state = 'created')`,
    [],
  )
}

/** Lets them be read again and again, as it happens every quarter of an hour of the business clock. @returns what ends it */
export function keepReadingEvents(stage: Stage): { stop(): Promise<void> } {
  let isStopped = false
  const run = async () => {
    for (; !isStopped; await pause(1000)) await readMissedEvents(stage)
  }
  const running = run()
  return {
    async stop() {
      isStopped = true
      await running
    },
  }
}

/** Until when both providers' lists were read. */
export async function eventsReadUntil({ query }: Stage): Promise<Date> {
  const { rows } = await query<{ until: Date | null }>(
    'select min(read_until) as until from account.provider_event_reads having count(*) = 2',
    [],
  )
  return rows[0]?.until ?? new Date(0)
}
