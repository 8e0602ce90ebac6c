import type Stripe from 'stripe'
import { ProviderFailure } from '../provider-failure.ts'
import { callProvider } from './failure.ts'

/** What a subscription becomes at a moment. */
interface PlannedPhase {
  startsAt: Date
  items: readonly { priceId: string; quantity: number }[]
}

/** What the vendor has planned for a subscription. While it lasts, the subscription takes no other word about its end. */
export interface Schedule {
  id: string
  /** When it ends the subscription; null: that goes on as it is. */
  endsAt: Date | null
  /** What follows what there is now, the next first. */
  ahead: readonly PlannedPhase[]
}

export function scheduleCalls(stripe: Stripe) {
  return {
    /** The provider's id of what a schedule manages, or managed; empty: nothing yet. */
    async subscriptionOfSchedule(id: string): Promise<string> {
      const found = await callProvider(() => stripe.subscriptionSchedules.retrieve(id))
      const { subscription, released_subscription: released } = found
      return (typeof subscription === 'object' ? subscription?.id : subscription) ?? released ?? ''
    },

    /**
     * Drops what is planned: the subscription goes on as it is now. An end that was planned stays, since nobody who stops here must
     * be charged for longer than before.
     */
    async releaseSchedule(scheduleId: string, operationId: string): Promise<void> {
      const kept = { preserve_cancel_date: true }
      const key = { idempotencyKey: `${operationId}-${scheduleId}` }
      await callProvider(() => stripe.subscriptionSchedules.release(scheduleId, kept, key)).catch(
        async (failure: unknown) => {
          if (!(failure instanceof ProviderFailure && failure.kind === 'invalid')) throw failure
          const { status } = await callProvider(() => stripe.subscriptionSchedules.retrieve(scheduleId))
          if (status === 'active' || status === 'not_started') throw failure
        },
      )
    },
  }
}

/** @param schedule expanded; null: nothing is planned; undefined: an older version of the API, or a part of an object */
export function scheduleFrom(schedule: Stripe.Subscription['schedule'] | undefined): Schedule | null {
  if (!schedule) return null
  if (typeof schedule === 'string') throw new Error('the schedule was not expanded')
  const { id, phases, current_phase: current, end_behavior: behavior } = schedule
  const end = behavior === 'cancel' ? phases.at(-1)?.end_date : undefined
  const ahead = phases.filter(({ start_date: start }) => current === null || start >= current.end_date)
  return {
    id,
    endsAt: end === undefined ? null : new Date(end * 1000),
    ahead: ahead.map(({ start_date, items }) => ({
      startsAt: new Date(start_date * 1000),
      items: items.map(({ price, quantity = 1 }) => ({
        priceId: typeof price === 'string' ? price : price.id,
        quantity,
      })),
    })),
  }
}
