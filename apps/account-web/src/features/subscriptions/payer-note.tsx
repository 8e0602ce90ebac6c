import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { loadableCode } from '../../page/loadable-code.ts'
import { SectionBoundary } from '../../page/section-boundary.tsx'

const { code } = loadableCode(async () => (await import('./payer-elsewhere.tsx')).PayerElsewhere)

interface Props {
  subscription: Subscription
}

/** What pays for it where that is not on the page of cards, which is rare: its code is loaded then. */
export function PayerNote({ subscription }: Props) {
  const { userType, payType, paidFrom, autoRenewal } = subscription
  const isElsewhere = userType === seatTypes.owner && payType === 'card' && paidFrom !== 'account'
  if (!isElsewhere || autoRenewal === 0) return null
  return (
    <SectionBoundary skeleton={null}>
      <Loaded subscription={subscription} />
    </SectionBoundary>
  )
}

function Loaded(props: Props) {
  const { data: Shown } = useSuspenseQuery(code)
  return <Shown {...props} />
}
