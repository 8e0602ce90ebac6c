import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import type { PaypalSale } from '../../outside/paypal/sales.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { type Cycle, paidCycle } from './billing-cycle.rules.ts'
import { isForeseen, isPlanOf, knownCycle } from './paypal-revised.rules.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

/** What is stored here of the subscription: its plan may be another than PayPal's of now. */
type Stored = Pick<
  SubscriptionRow,
  'price' | 'currency' | 'paidBy' | 'periodStart' | 'periodEnd' | 'trialEnd' | 'term' | 'providerItems' | 'nextPlan'
>

interface Known {
  /** Undefined if the subscription is not here. */
  stored: Stored | undefined
  /** Whether it is for what PayPal bills, whatever that costs: granted for it, or accepted by the operator. */
  isOfPlan: boolean
}

/** A payment at PayPal is an invoice with one line: the plan that was paid, for its cycle. */
export function saleAsInvoice(sale: PaypalSale, given: PaypalSubscription, known: Known): BilledInvoice {
  const { id, subscriptionId, total, tax, currency, paidAt } = sale
  const line = {
    ...(soldBefore(sale, given, known) ?? soldNow(sale, given, known)),
    ...{ amount: total - tax, isProration: false },
  }
  return {
    ...{ id, channel: 'paypal', number: id, customerId: '', subscriptionId, status: statusOf(sale) },
    ...{ isOfChange: false, isAttempted: true },
    ...{ lines: [line], discount: 0, tax, total, charged: total, balanceBefore: 0, currency },
    ...{ createdAt: paidAt, finalizedAt: paidAt, paidAt },
    buyer: paypalBuyer(given.payer),
    pdfUrl: '',
    payUrl: '',
  }
}

/** PayPal asks for no address. */
export function paypalBuyer(payer: { name: string; email: string }): BilledInvoice['buyer'] {
  return { ...payer, address: [], country: '', taxIds: [], isReverseCharge: false }
}

interface Sold extends Pick<BilledInvoice['lines'][number], 'text' | 'priceId' | 'productId' | 'quantity'>, Cycle {}

const unknownPlan = { priceId: '', productId: '', quantity: 1 }

/** A payment does not say for what it was: for another plan or quantity than those of now, if these cost something else. */
function soldNow(sale: PaypalSale, given: PaypalSubscription, { stored, isOfPlan }: Known): Sold {
  const { subscriptionId, paidAt } = sale
  const { planName: text, planId: priceId, productId, quantity } = given
  const plan = { text, priceId, productId, quantity: quantity ?? 1 }
  return {
    ...(isOfPlan || costs(sale, priceOf(given)) ? plan : { text: `PayPal ${subscriptionId}`, ...unknownPlan }),
    ...(paidCycle(given, paidAt, stored?.periodEnd ?? null) ?? { periodStart: paidAt, periodEnd: paidAt }),
  }
}

/** What is stored here, if PayPal's plan or quantity was revised since, and the payment was for what was stored before that. */
function soldBefore(sale: PaypalSale, given: PaypalSubscription, { stored, isOfPlan }: Known): Sold | undefined {
  const [item] = stored?.providerItems ?? []
  if (isOfPlan || !stored?.periodEnd || !item || isPlanOf(stored, given)) return undefined
  const { periodStart, periodEnd } = stored
  const isPaidBy = stored.paidBy === sale.id
  const isOfBoth = costs(sale, priceOf(given)) && isForeseen(stored, given)
  if (stored.currency !== sale.currency || !costs(sale, stored.price) || (!isPaidBy && isOfBoth)) return undefined
  const cycle = isPaidBy ? { periodStart, periodEnd } : knownCycle(given, sale.paidAt, { ...stored, periodEnd })
  // Its product has the name, of a known price or of one that was added under PayPal's id.
  const plan = { text: '', priceId: item.priceId, productId: item.productCode, quantity: item.quantity }
  return cycle && { ...plan, ...cycle }
}

function priceOf({ amount, quantity }: PaypalSubscription): number | null {
  return amount === null || quantity === null ? null : amount * quantity
}

function costs({ total, tax }: PaypalSale, price: number | null): boolean {
  return price !== null && (price === total || price === total - tax)
}

function statusOf({ isPending, isFailed }: PaypalSale): string {
  if (isFailed) return 'void'
  return isPending ? 'open' : 'paid'
}
