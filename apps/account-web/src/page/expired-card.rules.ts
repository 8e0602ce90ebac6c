import type { CardList, CreditCard } from '@atrium/contract/cards.ts'

interface Charge {
  /** Epoch milliseconds. */
  chargedAt: number
  /** Empty: the default card. */
  paymentMethodId: string
}

/** The card of a charge if it will have expired by then: a card is valid until the end of its month. */
export function expiredCard({ chargedAt, paymentMethodId }: Charge, { cardList, defaultPaymentID }: CardList) {
  const id = paymentMethodId === '' ? defaultPaymentID : paymentMethodId
  const card = cardList.find((one) => one.id === id)
  return card && chargedAt >= expiryOf(card) ? card : undefined
}

/** When a card stops to be valid, epoch milliseconds: with the end of its month. */
export function expiryOf({
  card: { expMonth, expYear },
}: {
  card: Pick<CreditCard['card'], 'expMonth' | 'expYear'>
}): number {
  return Date.UTC(expYear, expMonth)
}
