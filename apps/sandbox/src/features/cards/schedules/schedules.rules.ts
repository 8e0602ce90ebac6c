import type Stripe from 'stripe'
import { boundary } from '../money/periods.rules.ts'
import { everyOf } from '../subscriptions/items.rules.ts'
import { newId } from '../wire/ids.rules.ts'
import { invalidRequest } from '../wire/refusal.ts'
import type { GivenPhase } from './schedules.parameters.ts'

type Schedule = Stripe.SubscriptionSchedule
type Phase = Stripe.SubscriptionSchedule.Phase
type PhaseItem = Stripe.SubscriptionSchedule.Phase.Item

/** A schedule whose only phase is what a subscription has until its period ends. @param now epoch seconds */
export function newSchedule(subscription: Stripe.Subscription, now: number): Schedule {
  const { customer, items, billing_mode, cancel_at, automatic_tax, currency, default_payment_method } = subscription
  const start = Math.min(...items.data.map(({ current_period_start }) => current_period_start))
  const end = cancel_at ?? Math.min(...items.data.map(({ current_period_end }) => current_period_end))
  const only = phase({ items: items.data.map(phaseItem), start, end, currency })
  return {
    id: newId('sub_sched_'),
    object: 'subscription_schedule',
    application: null,
    billing_mode,
    canceled_at: null,
    completed_at: null,
    created: now,
    current_phase: { start_date: start, end_date: end },
    customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax,
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: cancel_at === null ? 'release' : 'cancel',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [only],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: null,
  }
}

function phaseItem({ price, quantity, metadata }: Stripe.SubscriptionItem): PhaseItem {
  return newPhaseItem({ price: price.id, quantity: quantity ?? 1, metadata })
}

function newPhaseItem({ price, ...given }: Pick<PhaseItem, 'quantity' | 'metadata'> & { price: string }): PhaseItem {
  return {
    billing_thresholds: null,
    discounts: [],
    plan: price,
    price,
    tax_rates: [],
    ...given,
  }
}

interface NewPhase
  extends Pick<Phase, 'items' | 'currency'>,
    Partial<Pick<Phase, 'proration_behavior' | 'metadata' | 'default_payment_method'>> {
  start: number
  end: number
}

function phase({ start, end, ...given }: NewPhase): Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    end_date: end,
    invoice_settings: null,
    metadata: {},
    on_behalf_of: null,
    proration_behavior: 'create_prorations',
    start_date: start,
    transfer_data: null,
    trial_end: null,
    ...given,
  }
}

interface Planned {
  /** Of the current phase: epoch seconds. */
  start: number
  currency: string
  prices: ReadonlyMap<string, Stripe.Price>
  /** Epoch seconds. */
  now: number
}

/**
 * The phases of a request: the current one first, each beginning where the one before ends.
 * @throws Refusal for another beginning, a gap, or a phase that ends before it begins
 */
export function plannedPhases(given: readonly GivenPhase[], { start, currency, prices, now }: Planned): Phase[] {
  const planned: Phase[] = []
  for (const [place, one] of given.entries()) {
    const begin = planned.at(-1)?.end_date ?? start
    if (one.start_date !== undefined && one.start_date !== begin) throw misplaced(place)
    const end = endOf(one, { begin, next: given[place + 1]?.start_date, price: prices.get(one.items[0]?.price ?? '') })
    if (end <= begin || (place === 0 && end <= now)) {
      throw invalidRequest('The subscription schedule phase must end after it starts.', {
        param: `phases[${place}][end_date]`,
      })
    }
    const items = one.items.map(({ price, quantity = 1, metadata }) =>
      newPhaseItem({ price, quantity, metadata: metadata ?? {} }),
    )
    const { proration_behavior = 'create_prorations', metadata = {}, default_payment_method = null } = one
    const terms = { proration_behavior, metadata, default_payment_method }
    planned.push(phase({ items, currency, start: begin, end, ...terms }))
  }
  return planned
}

function misplaced(place: number) {
  const param = `phases[${place}][start_date]`
  if (place === 0) return invalidRequest('You can not modify the start date of the current phase.', { param })
  return invalidRequest("A phase's start date must be the end date of the phase before it.", { param })
}

interface Ending {
  begin: number
  /** When the next phase is said to begin. */
  next: number | undefined
  price: Stripe.Price | undefined
}

/** What says no end lasts until the next one, and the last one for one period. */
function endOf({ end_date, duration }: GivenPhase, { begin, next, price }: Ending): number {
  if (end_date !== undefined) return end_date
  if (duration) return boundary(begin, { ...duration, interval_count: duration.interval_count ?? 1 }, 1)
  return next ?? (price ? boundary(begin, everyOf({ price }), 1) : begin)
}

/** The phase that begins at a moment; undefined: the schedule ends then. */
export function phaseFrom({ phases }: Pick<Schedule, 'phases'>, moment: number): Phase | undefined {
  return phases.find(({ start_date }) => start_date === moment)
}

/** When a schedule ends its subscription, which shows that in the last phase only. @param now epoch seconds */
export function endSetBy(
  { end_behavior, phases, current_phase }: Pick<Schedule, 'end_behavior' | 'phases' | 'current_phase'>,
  { canceled_at }: Pick<Stripe.Subscription, 'canceled_at'>,
  now: number,
): Pick<Stripe.Subscription, 'cancel_at' | 'canceled_at'> {
  const last = phases.at(-1)?.end_date
  const isSet = end_behavior === 'cancel' && last !== undefined && current_phase?.end_date === last
  return isSet ? { cancel_at: last, canceled_at: canceled_at ?? now } : { cancel_at: null, canceled_at: null }
}

/** What pays in a phase: its own method, or the schedule's; null: neither says, so that the customer's default does. */
export function methodOfPhase(
  { default_settings }: Pick<Schedule, 'default_settings'>,
  phase: Pick<Phase, 'default_payment_method'> | undefined,
) {
  return phase?.default_payment_method ?? default_settings.default_payment_method
}

/** How a phase changes the items of its subscription. */
export function itemsOfPhase({ items: wanted }: Pick<Phase, 'items'>, before: readonly Stripe.SubscriptionItem[]) {
  const prices = wanted.map(({ price }) => (typeof price === 'string' ? price : price.id))
  const gone = before.filter(({ price }) => !prices.includes(price.id)).map(({ id }) => ({ id, deleted: true }))
  const there = wanted.map(({ quantity }, place) => {
    const price = prices[place] ?? ''
    const same = before.find((item) => item.price.id === price)
    return same ? { id: same.id, quantity } : { price, quantity }
  })
  return [...there, ...gone]
}
