import { setTimeout as pause } from 'node:timers/promises'
import Stripe from 'stripe'
import { type Stage, waitUntil } from '../stage.ts'
import { moveClock } from '../stage-clock.ts'
import { passRetryPauses } from '../stage-time.ts'
import { meetFate } from './fates.ts'
import type { Fate, Kind } from './kinds.ts'
import type { Random } from './random.ts'
import { wronglyShown } from './shown.ts'
import type { Subscriber } from './subscriber.ts'
import { importSubscribers, type Moment, newPurchase, subscribe } from './subscribers.ts'
import {
  eventsReadUntil,
  followClock,
  indexEvents,
  keepReadingEvents,
  readMissedEvents,
  removeDoneJobs,
} from './time.ts'
import { makeTrouble, planWebhooks, type Trouble } from './trouble.ts'

const dayMs = 86_400_000

/** In the first steps everybody buys, so that renewals are spread over the month. */
export const buyingSteps = 10
const buyersAtOnce = 4

/** How many lists are compared with the providers after each step, and for how long they may differ then. */
const sampleSize = 8
const settleSeconds = 40

export interface Played {
  subscribers: Subscriber[]
  /** What people did, by fate. */
  fates: Map<Fate, number>
  troubles: Map<Trouble, number>
  /** Lists that did not agree with the provider after a step. */
  untrue: string[]
  compared: number
  /** What the business clock shows in the end. */
  now: Date
}

interface Plan {
  kinds: readonly Kind[]
  /** Days of each step. */
  steps: readonly number[]
  say(line: string): void
}

/** Plays the steps: people buy, cancel and pay; the clock moves; webhooks are lost and programs killed on the way. */
export async function play(stage: Stage, random: Random, { kinds, steps, say }: Plan): Promise<Played> {
  const played: Played = {
    subscribers: [],
    fates: new Map(),
    troubles: new Map(),
    untrue: [],
    compared: 0,
    now: new Date(),
  }
  const bought = kinds.filter(({ provider }) => provider !== 'none')
  const moment = () => ({ now: played.now, steps: steps.length })
  const imported = kinds.filter(({ provider }) => provider === 'none')
  played.subscribers.push(...(await importSubscribers(stage, random, imported, moment())))
  await indexEvents(stage)
  await readFirst(stage)
  const reading = keepReadingEvents(stage)
  try {
    for (const [step, days] of steps.entries()) {
      const begunAt = Date.now()
      await planWebhooks(stage, random)
      played.subscribers.push(...(await buy(stage, random, { kinds: bought, step, moment: moment() })))
      await act(stage, played, step)
      const trouble = await moveOn(stage, random, { played, days })
      await compare(stage, random, { played, say })
      const seconds = ((Date.now() - begunAt) / 1000).toFixed(1)
      const day = played.now.toISOString().slice(0, 10)
      say(`${day}: step ${step + 1} of ${steps.length}, ${seconds} s${trouble ? `, ${trouble}` : ''}`)
    }
  } finally {
    await reading.stop()
  }
  return played
}

interface Buying {
  kinds: readonly Kind[]
  step: number
  moment: Moment
}

/** In the first steps, an equal part of everybody. */
async function buy(stage: Stage, random: Random, { kinds, step, moment }: Buying): Promise<Subscriber[]> {
  const [from, to] = [step, step + 1].map((part) => Math.ceil((part * kinds.length) / buyingSteps))
  const purchases = kinds.slice(from, to).map((kind) => newPurchase(random, kind, moment))
  const subscribers: Subscriber[] = []
  while (purchases.length > 0) {
    const together = purchases.splice(0, buyersAtOnce)
    subscribers.push(...(await Promise.all(together.map((purchase) => subscribe(stage, purchase)))))
  }
  return subscribers
}

function count<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** A server that was started reads the lists of the last days once; afterwards, what is new. */
async function readFirst(stage: Stage): Promise<void> {
  await readMissedEvents(stage)
  await waitUntil('the lists of events are read', async () => (await eventsReadUntil(stage)).getTime() > 0)
}

async function act(stage: Stage, { subscribers, fates }: Played, step: number): Promise<void> {
  for (const subscriber of subscribers) {
    try {
      const fate = await meetFate(stage, subscriber, step)
      if (fate) count(fates, fate)
    } catch (error) {
      // The customer was too late: the subscription, or its invoice, is not open any more.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    }
  }
}

interface Move {
  played: Played
  days: number
}

async function moveOn(stage: Stage, random: Random, { played, days }: Move): Promise<Trouble | undefined> {
  const from = played.now
  const to = new Date(from.getTime() + days * dayMs)
  const [trouble] = await Promise.all([makeTrouble(stage, random), moveClock(stage, to)])
  if (trouble) count(played.troubles, trouble)
  await passRetryPauses(stage)
  await followClock(stage, { from, to })
  await removeDoneJobs(stage)
  played.now = to
  return trouble
}

interface Comparison extends Pick<Plan, 'say'> {
  played: Played
}

/** The lists of some people agree with the provider, as soon as what it told has been worked off. */
async function compare(stage: Stage, random: Random, { played, say }: Comparison): Promise<void> {
  let left = random.sample(played.subscribers, sampleSize)
  played.compared += left.length
  const deadline = Date.now() + settleSeconds * 1000
  for (;;) {
    const wrong = await wronglyShown(stage, left, played.now)
    if (wrong.length === 0) return
    const untold = await untoldOf(
      stage,
      wrong.map(({ subscriber }) => subscriber.id),
    )
    const unexcused = wrong.filter(({ subscriber }) => !untold.has(subscriber.id))
    if (unexcused.length === 0) return
    if (Date.now() > deadline) {
      for (const { text } of unexcused) say(`✗ ${text}`)
      played.untrue.push(...unexcused.map(({ text }) => `after ${played.now.toISOString().slice(0, 10)}: ${text}`))
      return
    }
    left = unexcused.map(({ subscriber }) => subscriber)
    await passRetryPauses(stage)
    await pause(200)
  }
}

/** About which the provider has events that no webhook brought, and that were not read from its list yet. */
async function untoldOf(stage: Stage, ids: readonly string[]): Promise<Set<string>> {
  const readUntil = await eventsReadUntil(stage)
  const { rows } = await stage.query<{ id: string }>(
    `select wanted.id from unnest($1::text[]) as wanted (id) where exists (
       select from sandbox.card_deliveries d join sandbox.card_objects e on e.id = d.event_id
       where d.delivered_at is null and e.created >= $2 and e.kept::text like '%' || wanted.id || '%'
     ) or exists (
       select from sandbox.paypal_deliveries d join sandbox.paypal_objects e on e.id = d.event_id
       where d.delivered_at is null and e.created_at >= $3 and e.stored::text like '%' || wanted.id || '%'
     )`,
    [ids, Math.floor(readUntil.getTime() / 1000) - hourSeconds, new Date(readUntil.getTime() - hourSeconds * 1000)],
  )
  return new Set(rows.map(({ id }) => id))
}

const hourSeconds = 3600

/** Nothing happens any more: what was lost is read from the providers' lists, and every job is done. */
export async function quiet(stage: Stage, now: Date, seconds: number): Promise<void> {
  await stage.clearFaults()
  await stage.paypalControl('DELETE', 'faults/')
  await waitUntil(
    'everything is read and done',
    async () => {
      await passRetryPauses(stage)
      if ((await eventsReadUntil(stage)) < now) await readMissedEvents(stage)
      else if ((await unfinished(stage)) === 0) return true
      await pause(500)
      return false
    },
    seconds,
  )
}

async function unfinished({ query }: Stage): Promise<number> {
  const { rows } = await query<{ count: number }>(
    `select count(*)::int from account_jobs.job
     where state in ('created', 'retry', 'active') and name in ('payments.webhooks', 'orders.invoices', 'orders.paid', 'mail', 'subscriptions.created')`,
    [],
  )
  return rows[0]?.count ?? 0
}
