import type { CardList, CreditCard } from '@atrium/contract/cards.ts'

/** Whether there are cards, and nothing is charged by default. */
export function lacksDefault({ cardList, defaultPaymentID, hasOtherDefault }: CardList): boolean {
  return cardList.length > 0 && defaultPaymentID === '' && hasOtherDefault === 0
}

/** The card to make the default where there is no choice; undefined: there are several, or it has expired. */
export function onlyCard({ cardList: [first, second] }: CardList): CreditCard | undefined {
  return second === undefined && first?.isExpired === false ? first : undefined
}
