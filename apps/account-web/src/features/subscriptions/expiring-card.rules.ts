import type { CardList, CreditCard } from '@atrium/contract/cards.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { expiredCard } from '../../page/expired-card.rules.ts'

/** Days ahead in which a charge is announced. */
const announcedDays = 60

const dayMs = 86_400_000

/** Those that are charged soon to a card on the page of cards, the soonest first. */
export function chargedSoon(subscriptions: readonly Subscription[], now: Date): Subscription[] {
  const until = now.getTime() + announcedDays * dayMs
  const isSoon = (subscription: Subscription) => {
    const { stripeSubscriptionStatus: status, autoRenewal, payType, paidFrom, stripeCurrentPeriodEnd } = subscription
    const isRunning = status === 'active' || status === 'trialing'
    const isCharged = payType === 'card' && paidFrom === 'account' && autoRenewal === 1 && isRunning
    return isCharged && stripeCurrentPeriodEnd !== '' && Date.parse(stripeCurrentPeriodEnd) <= until
  }
  return subscriptions.filter(isSoon).toSorted((a, b) => endOf(a) - endOf(b))
}

/** Whether the default card is charged soon for another period. */
export function chargedByDefault(subscription: Subscription, now: Date): boolean {
  const { stripeSubscriptionStatus: status, paymentMethodId } = subscription
  return status === 'active' && paymentMethodId === '' && chargedSoon([subscription], now).length > 0
}

interface Expiring {
  subscription: Subscription
  card: CreditCard
}

/** Those whose card will have expired when they are charged. */
export function chargedTooLate(soon: readonly Subscription[], cards: CardList): Expiring[] {
  return soon.flatMap((subscription) => {
    const { paymentMethodId } = subscription
    const card = expiredCard({ chargedAt: endOf(subscription), paymentMethodId }, cards)
    return card ? [{ subscription, card }] : []
  })
}

function endOf({ stripeCurrentPeriodEnd }: Subscription): number {
  return Date.parse(stripeCurrentPeriodEnd)
}
