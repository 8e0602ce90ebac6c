import type Stripe from 'stripe'
import { callProvider } from './failure.ts'
import { wholeList } from './lists.ts'
import { type BilledSubscription, expand, subscriptionFrom } from './subscriptions.ts'

/** A subscription that ends with its period, since it has another customer from then on. */
export interface MovedSubscription {
  /** The last end of what is paid. */
  periodEnd: Date
  /** Whether it has ended, or ends with that: nobody is charged for it any more. */
  isEnding: boolean
  hasEnded: boolean
  /** What plans its future; empty: nothing. */
  scheduleId: string
  isTaxed: boolean
}

interface Continuation {
  customerId: string
  items: readonly { priceId: string; quantity: number }[]
  /** When it is charged for the first time: ahead, whole seconds. */
  from: Date
  /** When it ends instead of renewing: later, whole seconds; null: it renews. */
  endsAt: Date | null
  /** Whether that is later than a period that began now would end. */
  isBeyondPeriod: boolean
  isTaxed: boolean
  metadata: Readonly<Record<string, string>>
  operationId: string
  /** Of this call. */
  idempotencyKey: string
}

/** What names the operation on a subscription that continues another one. */
const mark = 'continuedBy'

/** What a subscription that continues another customer's says: which one of ours it stands for. */
export const continues = 'continues'

/** A subscription cannot change its customer: the old one ends, and another one begins then. */
export function movedSubscriptionCalls(stripe: Stripe) {
  return {
    /** Lets it end with its period; its schedule is released before. Idempotent by itself, so it needs no key. */
    async endMoved(id: string): Promise<MovedSubscription> {
      return movedFrom(await callProvider(() => stripe.subscriptions.update(id, { cancel_at_period_end: true })))
    },

    /** Ends it at once: what is open for its period is not tried any more. */
    async endUnpaid(id: string): Promise<void> {
      await callProvider(() => stripe.subscriptions.cancel(id))
    },

    async readMoved(id: string): Promise<MovedSubscription> {
      return movedFrom(await callProvider(() => stripe.subscriptions.retrieve(id)))
    },

    /**
     * Begins it for the new customer: nothing is charged until `from`. The provider accepts no anchor beyond the first period, so
     * what is paid or tried for longer begins there as a trial.
     */
    async continueSubscription(asked: Continuation): Promise<BilledSubscription> {
      const { customerId: customer, items, isTaxed, metadata, operationId, idempotencyKey } = asked
      const from = asked.from.getTime() / 1000
      const params: Stripe.SubscriptionCreateParams = {
        customer,
        items: items.map(({ priceId: price, quantity }) => ({ price, quantity })),
        ...(asked.isBeyondPeriod ? { trial_end: from } : { billing_cycle_anchor: from }),
        ...(asked.endsAt && { cancel_at: asked.endsAt.getTime() / 1000 }),
        proration_behavior: 'none',
        off_session: true,
        automatic_tax: { enabled: isTaxed },
        metadata: { ...metadata, [mark]: operationId },
        expand,
      }
      return subscriptionFrom(await callProvider(() => stripe.subscriptions.create(params, { idempotencyKey })))
    },

    /** What an operation began; undefined if it began nothing. */
    async findContinued(customer: string, operationId: string): Promise<BilledSubscription | undefined> {
      const all = await wholeList((page) =>
        stripe.subscriptions.list({ customer, status: 'all', expand: expand.map((field) => `data.${field}`), ...page }),
      )
      const found = all.find(({ metadata }) => metadata[mark] === operationId)
      return found && subscriptionFrom(found)
    },
  }
}

function periodEndOf({ items }: Stripe.Subscription): number {
  return Math.max(...items.data.map(({ current_period_end: end }) => end))
}

/** Whether it is billed for no further period. */
export function isEnding(subscription: Stripe.Subscription): boolean {
  const { ended_at, cancel_at } = subscription
  return ended_at !== null || (cancel_at !== null && cancel_at <= periodEndOf(subscription))
}

function movedFrom(subscription: Stripe.Subscription): MovedSubscription {
  const { schedule, automatic_tax: tax } = subscription
  return {
    periodEnd: new Date(periodEndOf(subscription) * 1000),
    isEnding: isEnding(subscription),
    hasEnded: subscription.ended_at !== null,
    scheduleId: (typeof schedule === 'object' ? schedule?.id : schedule) ?? '',
    isTaxed: tax.enabled,
  }
}
