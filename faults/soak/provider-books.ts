import type Stripe from 'stripe'
import type { Stage } from '../stage.ts'
import type { Subscriber } from './subscriber.ts'

/** What a provider says of a subscription, in the words of our list. `undefined`: the provider does not say it. */
export interface Expected {
  status: string
  seats: number
  connectors: number
  price: number | undefined
  currency: string | undefined
  periodEnd: Date | undefined
  /** When it ends instead of renewing; null: it renews, or has ended. */
  endsAt: Date | null | undefined
}

type Query = Pick<Stage, 'query'>

/** What the providers have of these subscriptions, by id. Read from their tables, since injected faults would break API calls. */
export async function expectedOf(
  { query }: Query,
  subscribers: readonly Subscriber[],
  now: Date,
): Promise<Map<string, Expected>> {
  const ids = subscribers.map(({ id }) => id)
  const { rows: cards } = await query<{ id: string; object: Stripe.Subscription }>(
    "select id, kept -> 'object' as object from sandbox.card_objects where id = any($1)",
    [ids],
  )
  const { rows: paypal } = await query<{ id: string; object: PaypalObject; amount: number }>(
    `select s.id, s.stored -> 'object' as object,
            (p.stored #>> '{object,cycles,0,prices,0,amount}')::int as amount
     from sandbox.paypal_objects s join sandbox.paypal_objects p on p.id = s.stored #>> '{object,planId}'
     where s.id = any($1)`,
    [ids],
  )
  return new Map([
    ...cards.map(({ id, object }) => [id, atCardProvider(object, now)] as const),
    ...paypal.map(({ id, object, amount }) => [id, atPaypal(object, amount)] as const),
    ...subscribers.flatMap(({ id, imported }) => (imported ? [[id, inFile(imported, now)] as const] : [])),
  ])
}

const statuses: Readonly<Record<string, string>> = {
  active: 'active',
  trialing: 'trialing',
  past_due: 'past_due',
  unpaid: 'past_due',
  canceled: 'canceled',
  paused: 'active',
}

function atCardProvider(subscription: Stripe.Subscription, now: Date): Expected {
  const { status: given, items, cancel_at: cancelAt } = subscription
  const [main, connector] = items.data
  const periodEnd = dateOf(main?.current_period_end ?? 0)
  const end = given === 'paused' ? periodEnd : cancelAt && dateOf(cancelAt)
  const hasEnded = given === 'canceled' || (given !== 'past_due' && end && end <= now)
  return {
    status: hasEnded ? 'canceled' : (statuses[given] ?? given),
    seats: main?.quantity ?? 0,
    connectors: connector?.quantity ?? 0,
    price: items.data.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * (quantity ?? 1), 0),
    currency: main?.price.currency.toUpperCase(),
    periodEnd,
    endsAt: hasEnded ? null : end || null,
  }
}

interface PaypalObject {
  status: string
  quantity: string
  currency: string
  nextBillingAt: string | null
  lastPayment: { at: string } | null
  lastFailure: { at: string } | null
}

function atPaypal(subscription: PaypalObject, amount: number): Expected {
  const { status, quantity, currency, nextBillingAt, lastPayment, lastFailure } = subscription
  const hasFailed = lastFailure !== null && (lastPayment === null || lastPayment.at < lastFailure.at)
  const isActive = status === 'ACTIVE'
  return {
    status: paypalStatus(status, hasFailed),
    seats: Number(quantity),
    connectors: 0,
    price: amount * Number(quantity),
    currency,
    periodEnd: isActive && nextBillingAt ? new Date(nextBillingAt) : undefined,
    endsAt: isActive ? null : undefined,
  }
}

function paypalStatus(status: string, hasFailed: boolean): string {
  // PayPal does not say until when a canceled one is paid: the list decides by the end that it shows.
  if (status === 'CANCELLED') return 'active or canceled'
  return status === 'ACTIVE' && !hasFailed ? 'active' : 'past_due'
}

function inFile({ status, after, periodEnd, seats }: NonNullable<Subscriber['imported']>, now: Date): Expected {
  const hasEnded = periodEnd <= now
  const rest = { connectors: 0, price: undefined, currency: undefined }
  return { ...rest, status: hasEnded ? after : status, seats, periodEnd, endsAt: hasEnded ? null : periodEnd }
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000)
}
