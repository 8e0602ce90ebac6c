import type Stripe from 'stripe'
import { emitChange, emitEvent } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { find, findLocked, save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { type StoredSubscription, saveSubscription } from '../subscriptions/invoice-outcome.ts'
import { refuseForeignCard, usablePrice } from '../subscriptions/items.writes.ts'
import { lockedSubscription, refuseConcurrent } from '../subscriptions/locked.ts'
import { released, releaseSchedule, type StoredSchedule } from '../subscriptions/schedule-end.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { mergedMetadata } from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'
import type { Created, GivenPhase, Updated } from './schedules.parameters.ts'
import { endSetBy, itemsOfPhase, methodOfPhase, newSchedule, plannedPhases } from './schedules.rules.ts'

type Schedule = Stripe.SubscriptionSchedule

/** Puts a subscription under a schedule, as it is. What is to change is said by an update. */
export async function createSchedule(call: Call, { from_subscription: id, ...other }: Created): Promise<Schedule> {
  if (id === undefined) {
    throw invalidRequest('Missing required param: from_subscription.', {
      code: 'parameter_missing',
      param: 'from_subscription',
    })
  }
  const [param] = Object.entries(other).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (param) throw invalidRequest(`You cannot set \`${param}\` if \`from_subscription\` is set.`, { param })
  await refuseConcurrent(call, id)
  const stored = await lockedSubscription(call, id)
  const managing = idOf(stored.object.schedule)
  if (managing !== null) {
    throw invalidRequest(
      `You cannot migrate a subscription that is already attached to a schedule: \`${managing}\`. Update the schedule instead.`,
    )
  }
  if (stored.object.ended_at !== null || stored.object.status === 'incomplete') {
    throw invalidRequest(`You cannot migrate a subscription that is ${stored.object.status}.`)
  }
  const object = newSchedule(stored.object, epochSeconds(call.now))
  await save(call.tx, { kind: 'subscription_schedule', object, hidden: null })
  await emitEvent(call, { type: 'subscription_schedule.created', object })
  await manage(call, stored, object)
  return object
}

/** The subscription shows its schedule, and in its last phase the end that it has set. */
async function manage(
  call: Call,
  stored: StoredSubscription,
  schedule: Schedule,
  method: Partial<Pick<Stripe.Subscription, 'default_payment_method'>> = {},
): Promise<StoredSubscription> {
  const { id, current_phase } = schedule
  const end = endSetBy(schedule, stored.object, epochSeconds(call.now))
  const object = { ...stored.object, ...method, ...end, schedule: id, cancel_at_period_end: false }
  const hidden = { ...stored.hidden, phaseEnd: current_phase?.end_date ?? null }
  return saveSubscription(call, stored, { ...stored, object, hidden })
}

export async function updateSchedule(call: Call, id: string, given: Updated): Promise<Schedule> {
  const { schedule, subscription } = await managed(call, id, 'updated')
  const { object } = schedule
  const phases = given.phases ? await phasesOf(call, subscription, { object, given: given.phases }) : object.phases
  const [current] = phases
  const changed: Schedule = {
    ...object,
    phases,
    ...(current && { current_phase: { start_date: current.start_date, end_date: current.end_date } }),
    default_settings: settingsOf(object, given),
    end_behavior: given.end_behavior ?? object.end_behavior,
    metadata: mergedMetadata(object.metadata ?? {}, given.metadata),
  }
  await save(call.tx, { ...schedule, object: changed })
  await emitChange(call, 'subscription_schedule.updated', { before: object, after: changed })
  await refuseForeignCards(call, changed)
  const saysMethod = given.default_settings !== undefined || given.phases !== undefined
  const method = saysMethod ? { default_payment_method: methodOfPhase(changed, changed.phases[0]) } : {}
  await manage(call, subscription, changed, method)
  return changed
}

function settingsOf({ default_settings: before }: Schedule, { default_settings: given }: Updated) {
  const { default_payment_method: method } = given ?? {}
  return method === undefined ? before : { ...before, default_payment_method: method }
}

async function refuseForeignCards(call: Call, { customer, default_settings, phases }: Schedule): Promise<void> {
  for (const { default_payment_method: method } of [default_settings, ...phases]) {
    const id = idOf(method)
    if (id !== null) await refuseForeignCard(call, id, idOf(customer) ?? '')
  }
}

/** @throws Refusal for unusable prices, and for a change of what there is now, which this stand-in does not make */
async function phasesOf(
  call: Call,
  { object: subscription }: StoredSubscription,
  { object, given }: { object: Schedule; given: readonly GivenPhase[] },
) {
  const { currency } = subscription
  const prices = new Map<string, Stripe.Price>()
  for (const { price } of given.flatMap(({ items }) => items)) {
    prices.set(price, await usablePrice(call, price, { type: 'recurring', currency }))
  }
  const start = object.current_phase?.start_date ?? 0
  const phases = plannedPhases(given, { start, currency, prices, now: epochSeconds(call.now) })
  const [current] = phases
  const before = subscription.items.data
  const isSame = ({ id, quantity }: { id?: string; quantity?: number | undefined }) =>
    before.some((item) => item.id === id && item.quantity === quantity)
  if (!current || !itemsOfPhase(current, before).every(isSame)) {
    throw invalidRequest('The current phase keeps the items of its subscription here: update the subscription.', {
      param: 'phases[0][items]',
    })
  }
  return phases
}

interface Release {
  preserve_cancel_date?: boolean | undefined
}

/** The subscription goes on as it is; an end that the schedule has set is gone, unless it is to be preserved. */
export async function release(call: Call, id: string, given: Release): Promise<Schedule> {
  const { schedule, subscription } = await managed(call, id, 'released')
  const hasSetEnd = schedule.object.end_behavior === 'cancel'
  const keepsEnd = !hasSetEnd || given.preserve_cancel_date === true
  await saveSubscription(call, subscription, released(subscription, keepsEnd))
  return releaseSchedule(call, schedule)
}

type Managed = 'updated' | 'released'

/** A schedule that still runs, and its subscription, locked as everything of billing is. @throws Refusal */
async function managed(call: Call, id: string, wanted: Managed) {
  const seen = await find(call.tx, 'subscription_schedule', id)
  if (!seen) throw noSuchSchedule(id)
  const subscriptionId = idOf(seen.object.subscription)
  if (seen.object.status !== 'active' || subscriptionId === null) throw refused(seen, wanted)
  await refuseConcurrent(call, subscriptionId)
  const subscription = await lockedSubscription(call, subscriptionId)
  const schedule = await findLocked(call.tx, 'subscription_schedule', id)
  if (!schedule) throw noSuchSchedule(id)
  if (schedule.object.status !== 'active') throw refused(schedule, wanted)
  return { schedule, subscription }
}

function refused({ object: { status } }: StoredSchedule, wanted: Managed) {
  const verbs = { updated: 'update', released: 'release' }
  return invalidRequest(
    `You cannot ${verbs[wanted]} a subscription schedule that is currently in the \`${status}\` status. It must be in \`not_started\`, \`active\` status to be ${wanted}.`,
  )
}

function noSuchSchedule(id: string) {
  return noSuch('subscription schedule', id, { param: 'schedule', status: 404 })
}
