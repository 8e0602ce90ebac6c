import type { PaypalPayment } from '../../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../../outside/paypal/subscriptions.ts'
import { earlyMs } from '../billing-cycle.rules.ts'
import { covers } from '../paypal-fees.rules.ts'
import { isPlanOf } from '../paypal-revised.rules.ts'
import type { SubscriptionRow } from '../subscriptions.tables.ts'
import type { PaidBeforeOrders } from './paid-before-orders.queries.ts'
import { planFrom } from './paypal-grant.rules.ts'

type Row = Pick<SubscriptionRow, 'periodEnd' | 'paidBy' | 'pendingPlanId' | 'providerItems' | 'storageCapacity'>

interface Facts {
  beforeOrders: PaidBeforeOrders | undefined
  now: Date
}

/**
 * The row by which PayPal's payments are measured. What orders have bought ends with their period: a payment of the next one that is too little
 * for what PayPal has by now was for what it billed before the orders, unless a reading has shown ahead of it that the customer had confirmed.
 */
export function rowBeforeOrders<Stored extends Row>(
  row: Stored | undefined,
  given: PaypalSubscription,
  { beforeOrders, now }: Facts,
): Stored | undefined {
  if (!row || !beforeOrders || row.periodEnd?.getTime() !== beforeOrders.periodEnd.getTime()) return row
  const isShown = row.pendingPlanId === null && isPlanOf(row, given)
  const { plan, periodEnd } = beforeOrders
  // What is held back is granted later; until the period has ended, what was bought within it stays.
  const isOfNext = ({ id, at, state }: PaypalPayment) =>
    id !== row.paidBy && at.getTime() >= periodEnd.getTime() - earlyMs && (state === 'paid' || periodEnd <= now)
  const price = plan.quantity * (plan.amount ?? 0)
  const asked = (given.quantity ?? 0) * (given.amount ?? 0)
  const isForPlan = (payment: PaypalPayment) =>
    covers(payment, given, price) && (asked <= price || !covers(payment, given, asked))
  const isBilled = price > 0 && given.payments.some((payment) => isOfNext(payment) && isForPlan(payment))
  return isBilled && !isShown ? { ...row, ...planFrom(plan, row) } : row
}
