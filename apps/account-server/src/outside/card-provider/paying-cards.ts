import type Stripe from 'stripe'
import { ifKnown, ProviderFailure } from '../provider-failure.ts'
import { callProvider } from './failure.ts'

/** One card in the place of another. */
interface Replacement {
  subscription: string
  /** The card that is replaced, if it still pays. */
  from: string
  /** Empty: the customer's default. */
  to: string
}

/** Which card pays for a subscription. */
export function payingCardCalls(stripe: Stripe) {
  return {
    payBy,

    /**
     * The card of before pays again instead of one that was to pay for a change; if it was removed meanwhile, the customer's default.
     * Another one that was chosen since, here or at the provider, stays. Nothing pays for a subscription that has ended.
     */
    async restoreCard(restored: Replacement): Promise<void> {
      await replaceCard(restored).catch(async (failure: unknown) => {
        const isGone = failure instanceof ProviderFailure && (failure.kind === 'missing' || failure.kind === 'invalid')
        if (!isGone) throw failure
        await replaceCard({ ...restored, to: '' })
      })
    },

    /** Whether its vendor has planned what pays for a later phase of it: that would take the place of what is chosen now. */
    async hasPlannedPayer(subscription: string): Promise<boolean> {
      const { schedule } = await withSchedule(subscription)
      const { phases = [], current_phase: current } = schedule ?? {}
      const ahead = phases.filter(({ end_date: end }) => current === null || end > (current?.start_date ?? 0))
      return ahead.some(({ default_payment_method: method }) => method !== null)
    },
  }

  async function withSchedule(subscription: string) {
    const asked = { expand: ['schedule'] }
    const found = await callProvider(() => stripe.subscriptions.retrieve(subscription, asked))
    return { ...found, schedule: typeof found.schedule === 'object' ? found.schedule : null }
  }

  /**
   * A schedule sets what pays with each of its phases anew, so it is told first.
   * @param card empty: the customer's default
   */
  async function payBy(subscription: string, card: string): Promise<void> {
    const { schedule } = await withSchedule(subscription)
    if (schedule) await payPhasesBy(schedule.id, card)
    await payNowBy(subscription, card)
  }

  async function replaceCard({ subscription, from, to }: Replacement): Promise<void> {
    const found = await ifKnown(withSchedule(subscription))
    if (!found || found.ended_at !== null) return
    const { schedule, default_payment_method: own } = found
    if (schedule?.default_settings.default_payment_method === from) await payPhasesBy(schedule.id, to)
    if (own === from) await payNowBy(subscription, to)
  }

  async function payPhasesBy(schedule: string, card: string): Promise<void> {
    const settings = { default_settings: { default_payment_method: card } }
    await callProvider(() => stripe.subscriptionSchedules.update(schedule, settings))
  }

  async function payNowBy(subscription: string, card: string): Promise<void> {
    await callProvider(() => stripe.subscriptions.update(subscription, { default_payment_method: card }))
  }
}
