import type Stripe from 'stripe'
import { ifKnown, ProviderFailure } from '../provider-failure.ts'
import { callProvider } from './failure.ts'

/** Which card pays for a subscription. */
export function payingCardCalls(stripe: Stripe) {
  return {
    payBy,

    /**
     * The subscription's own card of before pays again; if it was removed meanwhile, the customer's default. Nothing pays for one that has
     * ended.
     */
    async restoreCard(subscription: string, card: string): Promise<void> {
      await payBy(subscription, card).catch(async (failure: unknown) => {
        const isGone = failure instanceof ProviderFailure && (failure.kind === 'missing' || failure.kind === 'invalid')
        if (!isGone) throw failure
        if (await hasEnded(subscription)) return
        if (card === '') throw failure
        await payBy(subscription, '')
      })
    },

    /** Whether its vendor has planned what pays for a later phase of it: that would take the place of what is chosen now. */
    async hasPlannedPayer(subscription: string): Promise<boolean> {
      const schedule = await scheduleOf(subscription)
      const { phases = [], current_phase: current } = schedule ?? {}
      const ahead = phases.filter(({ end_date: end }) => current === null || end > (current?.start_date ?? 0))
      return ahead.some(({ default_payment_method: method }) => method !== null)
    },
  }

  async function hasEnded(subscription: string): Promise<boolean> {
    const found = await ifKnown(callProvider(() => stripe.subscriptions.retrieve(subscription)))
    return found === undefined || found.ended_at !== null
  }

  async function scheduleOf(subscription: string): Promise<Stripe.SubscriptionSchedule | null> {
    const asked = { expand: ['schedule'] }
    const { schedule } = await callProvider(() => stripe.subscriptions.retrieve(subscription, asked))
    return typeof schedule === 'object' ? schedule : null
  }

  /**
   * A schedule sets what pays with each of its phases anew, so it is told first.
   * @param card empty: the customer's default
   */
  async function payBy(subscription: string, card: string): Promise<void> {
    const schedule = await scheduleOf(subscription)
    const settings = { default_settings: { default_payment_method: card } }
    if (schedule) await callProvider(() => stripe.subscriptionSchedules.update(schedule.id, settings))
    await callProvider(() => stripe.subscriptions.update(subscription, { default_payment_method: card }))
  }
}
