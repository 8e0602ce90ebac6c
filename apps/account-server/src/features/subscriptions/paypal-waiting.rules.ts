import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { isKept, type PaidFacts } from './paypal-facts.rules.ts'
import { type PaidTime, paidTimeOf } from './paypal-paid.rules.ts'
import { beforeTax, type Withholding } from './paypal-price.rules.ts'
import { wasCollected } from './paypal-purpose.rules.ts'
import { termsOf } from './paypal-revised.rules.ts'

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
  const payments = asCollected(given, id)
  const payment = payments.find((one) => one.id === id)
  return payment && reasonIn(payment, given, { ...facts, paidTime: paidTimeOf({ ...given, payments }, facts) })
}

function reasonIn(payment: PaypalPayment, given: PaypalSubscription, facts: Decided): Withholding | undefined {
  return reasonOfNow(payment, given, facts) ?? reasonOfBefore(payment, facts)
}

function asCollected({ payments }: PaypalSubscription, id: string): PaypalPayment[] {
  return payments.map((one) => (one.id === id ? { ...one, state: 'paid' } : one))
}

interface Decided extends PaidFacts {
  paidTime: PaidTime
}

function reasonOfNow(
  payment: PaypalPayment,
  given: PaypalSubscription,
  { paidTime, ...facts }: Decided,
): Withholding | undefined {
  const { withholding, unused, cycle, paidBy } = paidTime
  // The setup fee of a plan that is an order was never for more than that.
  if (facts.decided.get(payment.id)?.purpose === 'fee' && facts.ordered?.has(payment.id)) return undefined
  if (!withholding || (facts.before && !unused) || payment.id === paidBy) return undefined
  // The operator has nothing more to decide, also if it pays for no cycle, unless it was paid since and is less than was accepted.
  const isListed = wasCollected(payment, facts.decided, facts.acceptedAt)
  const isNoLess = isListed || beforeTax(payment, given) >= (termsOf(given).price ?? facts.leastAccepted ?? 0)
  if (facts.isAccepted && isNoLess && withholding !== 'impossible_amount') return undefined
  // What was collected before, or within what was paid, belongs to that.
  const isOfCycle = cycle !== undefined && payment.at.getTime() < cycle.periodEnd.getTime() - dayMs
  return isOfCycle ? undefined : withholding
}

/** What has waited goes on waiting when a later payment is granted, unless it was within that, or was accepted. */
function reasonOfBefore({ id }: PaypalPayment, { paidTime, decided }: Decided): Withholding | undefined {
  return isIdle({ id }, paidTime) ? (decided.get(id)?.reason ?? undefined) : undefined
}

function isIdle({ id }: Pick<PaypalPayment, 'id'>, { idle }: PaidTime): boolean {
  return idle.some((one) => one.id === id)
}

/** Whether nothing is left of a payment that was for nothing of what is granted: it does not become an order any more. */
export function isReturnedUnused({ id }: Pick<PaypalPayment, 'id'>, given: PaypalSubscription, facts: PaidFacts) {
  const payment = given.payments.find((one) => one.id === id)
  if (payment?.state !== 'given_back') return false
  return isIdle(payment, paidTimeOf({ ...given, payments: asCollected(given, id) }, facts))
}

/** What was paid, oldest first, for what, and whether all of a payment was given or taken back since. */
export function paidAndTakenBack(
  { payments }: Pick<PaypalSubscription, 'payments'>,
  { takenBack, decided }: Pick<PaidFacts, 'takenBack' | 'decided'>,
) {
  const paid = payments.filter(({ state }) => state !== 'unpaid')
  return paid.map(({ id, at, state }) => {
    const isTakenBack = state === 'given_back' || takenBack.has(id)
    return { id, at, purpose: decided.get(id)?.purpose, isTakenBack }
  })
}

/** What was paid since a transfer gave it to another Owner; what was given or taken back, as long as PayPal may bill it again. */
export function paymentsSince(
  given: Pick<PaypalSubscription, 'payments' | 'status'>,
  { movedAt, takenBack }: Pick<PaidFacts, 'takenBack'> & { movedAt: Date },
): PaypalPayment[] {
  const since = given.payments
    .filter(({ at, state }) => state !== 'unpaid' && at > movedAt)
    .map((one) => (takenBack.has(one.id) ? { ...one, state: 'given_back' as const } : one))
  const kept = since.filter(({ state }) => state === 'paid')
  return kept.length > 0 || isEndedAtPaypal(given) ? kept : since.slice(-1)
}

/** Every payment that waits, or has waited until the operator accepted one, oldest first. */
export function waitingPayments(given: PaypalSubscription, facts: PaidFacts): PaypalPayment[] {
  const paidTime = paidTimeOf(given, facts)
  return given.payments.filter(
    (one) => isKept(one, facts) && reasonIn(one, given, { ...facts, paidTime }) !== undefined,
  )
}

/** The last payment, if it has waited and was given back while PayPal may bill its subscription again, and why it has waited. */
export function givenBackBeforeEnd(
  given: PaypalSubscription,
  facts: PaidFacts,
): { payment: PaypalPayment; reason: Withholding } | undefined {
  const payment = given.payments.at(-1)
  if (payment?.state !== 'given_back' || isEndedAtPaypal(given)) return undefined
  const reason = waitingReason(payment, given, facts)
  return reason && { payment, reason }
}

/** What a row says of the payments that wait, oldest first: of what was given back that nothing of it is left. */
export function paidWaiting(waiting: readonly PaypalPayment[]) {
  const kept = waiting.filter(({ state, amount }) => state === 'paid' && Number.isSafeInteger(amount))
  const [last, isBack] = [kept.at(-1), waiting.length > 0 && isAllGivenBack({ payments: waiting })]
  const payments = kept.length > 1 ? kept.map(({ at, amount }) => ({ at: at.toISOString(), amount })) : []
  const currency = waiting.at(-1)?.currency
  if (!last) return isBack ? { amount: 0, currency } : {}
  return { amount: last.amount, currency, payments }
}

/** Whether PayPal never bills it again; what is suspended can be activated. */
export function isEndedAtPaypal({ status }: Pick<PaypalSubscription, 'status'>): boolean {
  return status === 'CANCELLED' || status === 'EXPIRED'
}

/** Whether nothing is left of what was paid. */
export function isAllGivenBack({ payments }: Pick<PaypalSubscription, 'payments'>): boolean {
  const states = payments.map(({ state }) => state)
  return states.includes('given_back') && !states.includes('paid')
}
