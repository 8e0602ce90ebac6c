import type Stripe from 'stripe'
import { isAdded, untaxed } from './added-lines.ts'
import { secondsOf } from './change-results.ts'
import { callProvider } from './failure.ts'
import { wholeList } from './lists.ts'
import { priceCalls } from './prices.ts'

/** The metadata of an item that takes the place of one on an invoice that nobody pays. */
const insteadMark = 'instead_of'

/** What is older than this before the invoice of a change is none of its own. In seconds. */
const margin = 60

/**
 * What waited for a subscription's next invoice, a share of the vendor's change or a credit, and went onto the invoice of a change
 * that is not made. The provider's reference does not say that a void invoice lets it go: what is still on it waits again as an
 * item of its own.
 */
export function sweptItemCalls(stripe: Stripe) {
  const { taxOfPrice } = priceCalls(stripe)

  return {
    /**
     * Has what was on a void invoice before its change wait for the next one. Doing it again changes nothing.
     * @param prorationDate of the change; undefined: not known
     */
    async waitAgain({ id, customer, created }: Stripe.Invoice, prorationDate: Date | undefined): Promise<void> {
      const begin = prorationDate ? secondsOf(prorationDate) : created - margin
      const items = await wholeList((page) => stripe.invoiceItems.list({ invoice: id, ...page }))
      // Its own begin with it, and say so. Our clock may be ahead of the provider's, whose date is the item's.
      const swept = items.filter((item) => item.date < begin && item.period.start < begin && !isAdded(item))
      if (swept.length === 0) return
      const holder = typeof customer === 'string' ? customer : (customer?.id ?? '')
      const added = { customer: holder, created: { gte: created } }
      const later = await wholeList((page) => stripe.invoiceItems.list({ ...added, ...page }))
      const replaced = new Set(later.map(({ metadata }) => metadata?.[insteadMark]))
      for (const item of swept) if (!replaced.has(item.id)) await addAgain(item, holder)
    },
  }

  async function addAgain(item: Stripe.InvoiceItem, customer: string): Promise<void> {
    const { id, amount, currency, description, discountable, metadata, parent, period, pricing, tax_rates } = item
    const price = pricing?.price_details?.price
    const priceId = typeof price === 'object' ? price.id : price
    const { taxBehavior, taxCode } = priceId === undefined ? untaxed : await taxOfPrice(priceId)
    const subscription = parent?.subscription_details?.subscription
    const asked: Stripe.InvoiceItemCreateParams = {
      ...{ customer, amount, currency, discountable, period },
      ...(description !== null && { description }),
      ...(subscription !== undefined && { subscription }),
      ...(taxBehavior && { tax_behavior: taxBehavior }),
      ...(taxCode && { tax_code: taxCode }),
      ...(tax_rates && tax_rates.length > 0 && { tax_rates: tax_rates.map((rate) => rate.id) }),
      metadata: { ...metadata, [insteadMark]: id },
    }
    const key = { idempotencyKey: `${id}-again` }
    await callProvider(() => stripe.invoiceItems.create(asked, key))
  }
}
