import type { CardList } from '@atrium/contract/cards.ts'
import type { TrialTerms } from '@atrium/contract/products.ts'
import { lacksDefault } from './default-card.rules.ts'

type Payer = Pick<TrialTerms, 'autoRenewal' | 'payType' | 'paymentMethodId'>

/**
 * What follows the Owner's trial; undefined: not known yet.
 * @param cards those on file, if they are known
 */
export function afterTrial(
  { autoRenewal, payType, paymentMethodId }: Payer,
  cards: CardList | undefined,
): 'stops' | 'paid' | 'noDefault' | 'noCard' | undefined {
  if (autoRenewal === 0) return 'stops'
  if (payType === 'paypal' || paymentMethodId !== '') return 'paid'
  if (!cards || payType === '') return undefined
  if (lacksDefault(cards)) return 'noDefault'
  return cards.cardList.length > 0 || cards.hasOtherDefault === 1 ? 'paid' : 'noCard'
}

/** Whether the cards on file decide what follows. */
export function dependsOnCards(payer: Payer): boolean {
  return payer.payType === 'card' && afterTrial(payer, undefined) === undefined
}
