import type { CardList, CreditCard } from '@atrium/contract/cards.ts'

/** Whether there are cards, and nothing is charged by default. */
export function lacksDefault({ cardList, defaultPaymentID, hasOtherDefault }: CardList): boolean {
  return cardList.some(({ canBeDefault }) => canBeDefault) && defaultPaymentID === '' && hasOtherDefault === 0
}

/** Whether a card that is added now becomes the default: there is none, or it has expired. The server decides. */
export function becomesDefault({ cardList, defaultPaymentID, hasOtherDefault }: CardList): boolean {
  if (defaultPaymentID === '') return hasOtherDefault === 0
  return cardList.some(({ id, isExpired }) => id === defaultPaymentID && isExpired)
}

/** The card to make the default where there is no choice; undefined: there are several, or it has expired. */
export function onlyCard({ cardList: [first, second] }: CardList): CreditCard | undefined {
  return second === undefined && first?.isExpired === false ? first : undefined
}
