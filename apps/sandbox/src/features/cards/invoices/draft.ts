import type Stripe from 'stripe'
import { storedDiscounts } from '../discounts/discounts.writes.ts'
import { leastCharge } from '../payment-intents/amounts.rules.ts'
import type { Call } from '../requests/call.ts'
import type { Line } from '../store/billing-hidden.ts'
import { oneByOne } from '../store/one-by-one.ts'
import { find } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { taxationOf } from '../tax/tax.rules.ts'
import { calculated, type InvoiceParts } from './invoice.rules.ts'

interface Basis {
  customer: Stripe.Customer
  lines: readonly Line[]
  /** Those of its subscription. */
  discounts: readonly (string | { id: string })[]
}

/** Recalculates a draft or a preview from its lines, its discounts and its customer. */
export async function recalculated(
  call: Call,
  invoice: InvoiceParts,
  { customer, lines, discounts }: Basis,
): Promise<InvoiceParts> {
  return calculated(invoice, {
    lines: await oneByOne(lines, (line) => withTaxCode(call, line)),
    discounts: await storedDiscounts(call, discounts),
    taxation: taxationOf(customer),
    customer,
    least: leastCharge(invoice.object.currency),
  })
}

async function withTaxCode({ tx }: Call, line: Line): Promise<Line> {
  const product = line.line.pricing?.price_details?.product
  if (line.taxCode !== undefined || !product) return line
  const found = await find(tx, 'product', product)
  const taxCode = idOf(found?.object.tax_code)
  return taxCode === null ? line : { ...line, taxCode }
}
