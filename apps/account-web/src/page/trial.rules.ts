import type { CardList } from '@atrium/contract/cards.ts'
import type { TrialTerms } from '@atrium/contract/products.ts'
import { lacksDefault } from './default-card.rules.ts'
import { expiredCard } from './expired-card.rules.ts'

type Payer = Pick<TrialTerms, 'autoRenewal' | 'payType' | 'paymentMethodId'>

/**
 * What follows the Owner's trial; undefined: not known yet.
 * @param cards those on file, if they are known
 * @param end of the trial, in epoch milliseconds
 */
export function afterTrial(
  { autoRenewal, payType, paymentMethodId }: Payer,
  cards: CardList | undefined,
  end: number,
): 'stops' | 'paid' | 'expired' | 'noDefault' | 'noCard' | undefined {
  if (autoRenewal === 0) return 'stops'
  if (payType === 'card' && cards && expiredCard({ chargedAt: end, paymentMethodId }, cards)) return 'expired'
  if (payType === 'paypal' || paymentMethodId !== '') return 'paid'
  if (!cards || payType === '') return undefined
  if (lacksDefault(cards)) return 'noDefault'
  return cards.cardList.length > 0 || cards.hasOtherDefault === 1 ? 'paid' : 'noCard'
}

/** Whether the cards on file decide what follows: one of its own may expire before. */
export function dependsOnCards({ payType, autoRenewal }: Payer): boolean {
  return payType === 'card' && autoRenewal === 1
}
