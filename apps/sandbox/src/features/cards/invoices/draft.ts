import type Stripe from 'stripe'
import { activeDiscounts } from '../discounts/discounts.writes.ts'
import type { Applied } from '../money/lines.rules.ts'
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
  /** Discounts of the whole invoice: those of the subscription, or its own. */
  discounts: readonly (string | { id: string })[]
  /** Discounts that are not stored, because this is a preview. */
  unsaved?: readonly Applied[]
}

/** Recalculates a draft or a preview from its lines, its discounts and its customer. */
export async function recalculated(call: Call, invoice: InvoiceParts, basis: Basis): Promise<InvoiceParts> {
  const { customer, lines, unsaved = [] } = basis
  const ownIds = [
    ...new Set(lines.flatMap(({ line }) => line.discounts.map((id) => (typeof id === 'string' ? id : id.id)))),
  ]
  const known = (ids: readonly (string | { id: string })[]) => {
    const names = ids.map((id) => (typeof id === 'string' ? id : id.id))
    return unsaved.filter(({ id }) => names.includes(id))
  }
  return calculated(invoice, {
    lines: await oneByOne(lines, (line) => withTaxCode(call, line)),
    whole: [...known(basis.discounts), ...(await activeDiscounts(call, basis.discounts))],
    own: [...known(ownIds), ...(await activeDiscounts(call, ownIds))],
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
