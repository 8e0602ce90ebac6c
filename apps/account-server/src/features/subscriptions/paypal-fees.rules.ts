import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

const dayMs = 86_400_000

/** A setup fee is charged with the approval, in the same moment as a first cycle that begins with it. */
const sameMomentMs = 3_600_000

/**
 * The payment of the setup fee, however large: it pays for no cycle. It is one of the first, and of two that are equal one is the fee; what
 * is paid before the start can be nothing else. What has paid for a period here stays what it was, since the fee is that of the plan of now.
 */
export function setupFeeOf(
  given: PaypalSubscription,
  before: Partial<Pick<SubscriptionRow, 'paidBy'>> | undefined,
): PaypalPayment | undefined {
  const collected = given.payments.filter(({ state }) => state !== 'unpaid')
  const [first] = collected
  if (!first) return undefined
  if (first.at.getTime() < given.startsAt.getTime() - dayMs) return first
  const atApproval = collected.filter(({ at }) => at.getTime() - first.at.getTime() < sameMomentMs)
  return atApproval.find((payment) => isSetupFee(payment, given) && payment.id !== before?.paidBy)
}

function isSetupFee(payment: PaypalPayment, given: PaypalSubscription): boolean {
  const { setupFee, currency } = given
  return setupFee > 0 && payment.currency === currency && beforeTax(payment, given) === setupFee
}

/** A tax within the price belongs to it; one on top does not. */
export function beforeTax({ amount, tax }: PaypalPayment, { taxOnTop }: PaypalSubscription): number {
  if (taxOnTop === 0) return amount
  return tax === null ? Math.round(amount / (1 + taxOnTop / 100)) : amount - tax
}

/** Whether it is at least as large, before tax, in the currency that is billed. */
export function covers(payment: PaypalPayment, given: PaypalSubscription, price: number): boolean {
  return payment.currency === given.currency && beforeTax(payment, given) >= price
}
