import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { beforeTax } from './paypal-fees.rules.ts'
import { type PaidFacts, paidTimeOf, type Withholding } from './paypal-paid.rules.ts'

const dayMs = 86_400_000

/**
 * Why a payment waits for the operator, or would once it is collected: nothing is granted for it, and it is not an order yet.
 * @returns undefined: it is an order, as any other
 */
export function waitingReason(
  { id }: Pick<PaypalPayment, 'id'>,
  given: PaypalSubscription,
  facts: PaidFacts,
): Withholding | undefined {
  const payments = given.payments.map((one) => (one.id === id ? { ...one, state: 'paid' as const } : one))
  const payment = payments.find((one) => one.id === id)
  const { withholding, unused, cycle, paidBy } = paidTimeOf({ ...given, payments }, facts)
  if (!payment || !withholding || (facts.before && !unused) || id === paidBy) return undefined
  // The operator has nothing more to decide, also if it pays for no cycle, unless it is less than was accepted.
  const isNoLess = beforeTax(payment, given) >= (facts.leastAccepted ?? 0)
  if (facts.isAccepted && isNoLess && withholding !== 'impossible_amount') return undefined
  // What was collected before, or within what was paid, belongs to that.
  const isOfCycle = cycle !== undefined && payment.at.getTime() < cycle.periodEnd.getTime() - dayMs
  return isOfCycle ? undefined : withholding
}

/** The last payment since a transfer gave it to another Owner, unless it was given or taken back. */
export function paymentSince(
  { payments }: Pick<PaypalSubscription, 'payments'>,
  { movedAt, takenBack }: Pick<PaidFacts, 'takenBack'> & { movedAt: Date },
): PaypalPayment | undefined {
  return payments.findLast(({ id, at, state }) => state === 'paid' && at > movedAt && !takenBack.has(id))
}

/** Whether nothing is left of what was paid. */
export function isAllGivenBack({ payments }: Pick<PaypalSubscription, 'payments'>): boolean {
  const states = payments.map(({ state }) => state)
  return states.includes('given_back') && !states.includes('paid')
}
