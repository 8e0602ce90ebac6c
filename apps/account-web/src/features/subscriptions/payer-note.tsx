import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { loadablePart } from '../../page/loadable-part.tsx'

const PayerElsewhere = loadablePart(async () => (await import('./payer-elsewhere.tsx')).PayerElsewhere)

/** What pays for it where that is not on the page of cards, which is rare. */
export function PayerNote({ subscription }: { subscription: Subscription }) {
  const { userType, payType, paidFrom, autoRenewal } = subscription
  const isElsewhere = userType === seatTypes.owner && payType === 'card' && paidFrom !== 'account'
  if (!isElsewhere || autoRenewal === 0) return null
  return <PayerElsewhere subscription={subscription} />
}
