import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import type { PaypalSale } from '../../outside/paypal/sales.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { paidCycle } from './billing-cycle.rules.ts'

interface Known {
  /** Of the subscription's period here; null if it is not here. */
  storedEnd: Date | null
  /** Whether it is for what PayPal bills, whatever that costs: granted for it, or accepted by the operator. */
  isOfPlan: boolean
}

/** A payment at PayPal is an invoice with one line: the plan, for the cycle that was paid. */
export function saleAsInvoice(sale: PaypalSale, given: PaypalSubscription, known: Known): BilledInvoice {
  const { id, subscriptionId, total, tax, currency, paidAt } = sale
  const line = {
    ...(known.isOfPlan || costsPlan(sale, given)
      ? planOf(given)
      : { text: `PayPal ${subscriptionId}`, ...unknownPlan }),
    ...{ amount: total - tax, isProration: false },
    ...(paidCycle(given, paidAt, known.storedEnd) ?? { periodStart: paidAt, periodEnd: paidAt }),
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

const unknownPlan = { priceId: '', productId: '', quantity: 1 }

function planOf({ planName: text, planId: priceId, productId, quantity }: PaypalSubscription) {
  return { text, priceId, productId, quantity: quantity ?? 1 }
}

/** A payment does not say for what it was: for another plan or quantity than those of now, if these cost something else. */
function costsPlan({ total, tax }: PaypalSale, { amount, quantity }: PaypalSubscription): boolean {
  return amount !== null && quantity !== null && (amount * quantity === total || amount * quantity === total - tax)
}

function statusOf({ isPending, isFailed }: PaypalSale): string {
  if (isFailed) return 'void'
  return isPending ? 'open' : 'paid'
}
