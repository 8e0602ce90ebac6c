import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { CopyableId } from '../../page/copyable-code.tsx'
import { SubscriptionSeats } from './subscription-size.tsx'
import classes from './subscriptions.module.css'
import { useSizeText } from './use-size-text.ts'

interface Props {
  subscription: Subscription
  /** What it is called among the others of the list. */
  name: string
}

/** What people call it beside its product, who sits there, and the id. */
export function SubscriptionName({ subscription, name }: Props) {
  const { userCount, joinCount, storageCapacity, stripeSubscriptionId: id } = subscription
  const sizeText = useSizeText()
  // That the only seat is taken is no news.
  const hasSeats = storageCapacity === 0 && (userCount > 1 || joinCount < userCount)

  return (
    <div className={classes.called}>
      <span>{sizeText(subscription)}</span>
      {hasSeats && <SubscriptionSeats subscription={subscription} />}
      <CopyableId id={id} name={name} />
    </div>
  )
}
