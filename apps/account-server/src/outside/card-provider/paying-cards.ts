import type Stripe from 'stripe'
import { ProviderFailure } from '../provider-failure.ts'
import { callProvider } from './failure.ts'

/** Which card pays for a subscription. */
export function payingCardCalls(stripe: Stripe) {
  return {
    payBy,

    /** The subscription's own card of before pays again; if it was removed meanwhile, the customer's default. */
    async restoreCard(subscription: string, card: string): Promise<void> {
      await payBy(subscription, card).catch((failure: unknown) => {
        const isGone = failure instanceof ProviderFailure && (failure.kind === 'missing' || failure.kind === 'invalid')
        if (!isGone || card === '') throw failure
        return payBy(subscription, '')
      })
    },
  }

  /** @param card empty: the customer's default */
  async function payBy(subscription: string, card: string): Promise<void> {
    await callProvider(() => stripe.subscriptions.update(subscription, { default_payment_method: card }))
  }
}
