import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import type { DecidedPayment } from './paypal-payments.tables.ts'

const dayMs = 86_400_000

/** What could not be collected, if this payment was a retry of it. As much may be billed for the next cycle. */
export function retriedIn(
  payment: PaypalPayment,
  given: PaypalSubscription,
  { purposes }: { purposes: ReadonlyMap<string, DecidedPayment> },
): DecidedPayment | undefined {
  const tried = purposes.get(retryId(given, payment))
  const end = tried?.periodEnd?.getTime() ?? 0
  return payment.at.getTime() < end - dayMs ? tried : undefined
}

/**
 * Under which id it is decided for what PayPal retries a payment: it dates its last try alone, so that those of one amount after one payment
 * are one.
 */
export function retryId(
  { payments }: Pick<PaypalSubscription, 'payments'>,
  { at, amount }: Pick<PaypalPayment, 'at' | 'amount'>,
): string {
  const last = payments.findLast((one) => one.state !== 'unpaid' && one.at < at)
  return `retry of ${amount} after ${last?.id ?? 'nothing'}`
}
