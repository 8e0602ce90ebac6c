import { SubscriptionsScreen } from '../features/subscriptions/subscriptions-screen.tsx'
import { TransferLink } from '../features/transfers/transfer-link.tsx'

/** The tab My Subscriptions: the subscriptions, and their transfer to another account (001 §2). */
export function MySubscriptionsScreen() {
  return <SubscriptionsScreen action={<TransferLink />} />
}
