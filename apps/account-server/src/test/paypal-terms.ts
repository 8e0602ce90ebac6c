import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { providerPrices } from '../features/catalog/provider-prices.tables.ts'
import { unmatchedPurchases } from '../features/payments/unmatched/unmatched.tables.ts'
import { paypalVendor } from './paypal.ts'
import type { Sandbox } from './sandbox.ts'

const Revised = z.object({ links: z.array(z.object({ href: z.string() })) })

export const usd = (value: string) => ({ currency_code: 'USD', value })

/** Terms that a browser can give a subscription instead of those of its plan. */
export const priceOf = (value: string) => ({
  billing_cycles: [{ sequence: 1, pricing_scheme: { fixed_price: usd(value) } }],
})

/** The free trial of a plan. */
export const freeMonths = (months: number) => ({
  frequency: { interval_unit: 'MONTH', interval_count: 1 },
  ...{ tenure_type: 'TRIAL', sequence: 1, total_cycles: months },
  pricing_scheme: { fixed_price: usd('0') },
})

/** The trial of a plan of which a week costs $1, and the month after it nothing. */
export const paidWeekAndFreeMonth = [
  {
    ...{ tenure_type: 'TRIAL', sequence: 1, total_cycles: 1, frequency: { interval_unit: 'WEEK', interval_count: 1 } },
    pricing_scheme: { fixed_price: usd('1') },
  },
  { ...freeMonths(1), sequence: 2 },
]

interface OwnPlan {
  trial?: object
  /** Those of a plan that has two. */
  trials?: readonly object[]
  preferences?: object
  taxes?: object
}

interface Sibling {
  value: string
  unit: 'MONTH' | 'YEAR'
  trials?: readonly object[]
  preferences?: object
  taxes?: object
}

/** A vendor at PayPal on the sandbox's own clock, which the tests before have moved, and what a browser can do to its subscriptions. */
export async function termsVendor(sandbox: Sandbox) {
  const world = await paypalVendor(sandbox)
  world.at(await sandbox.now())
  const inDays = (many: number) => new Date(world.deps.clock().getTime() + many * 86_400_000).toISOString()
  return {
    ...world,
    inDays,
    async planOf(productCode: string, term: 'monthly' | 'yearly') {
      const { provider, productCode: product, term: of, id } = providerPrices
      const isIt = and(eq(provider, 'paypal'), eq(product, productCode), eq(of, term))
      const [plan] = await world.db.select({ id }).from(providerPrices).where(isIt)
      return plan?.id ?? ''
    },
    waiting: (id: string) => world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, id)),
    /** The buyer approves it: PayPal bills it from the next cycle on. Nothing is read here. */
    async revise(id: string, body: object) {
      const { links } = Revised.parse(await world.call('POST', `/v1/billing/subscriptions/${id}/revise`, body))
      await world.control('POST', 'approvals/', { link: links[0]?.href, answer: 'approve' })
    },
    fund: (id: string, hasFunds: boolean) => world.control('PUT', `funds/${id}/`, { hasFunds }),
    /** What is due until then is billed, and the subscription read. */
    async daysLater(many: number, id: string) {
      await world.advanceTo(inDays(many))
      await world.sync(id)
    },
    /** A plan of the vendor's own for $10 a month. */
    async ownPlan({ trial, trials = trial ? [trial] : [], preferences = {}, taxes }: OwnPlan = {}) {
      const product = await world.call('POST', '/v1/catalogs/products', { name: 'Own', type: 'DIGITAL' })
      const frequency = { interval_unit: 'MONTH' }
      const cycle = { tenure_type: 'REGULAR', sequence: trials.length + 1, total_cycles: 0, frequency }
      const regular = { ...cycle, pricing_scheme: { fixed_price: usd('10') } }
      const plan = await world.call('POST', '/v1/billing/plans', {
        ...{ product_id: product.id, name: 'Own, monthly', quantity_supported: true, payment_preferences: preferences },
        ...(taxes && { taxes }),
        billing_cycles: [...trials, regular],
      })
      return String(plan.id)
    },
    /** Another plan of the same product; without preferences it has no fee. */
    async siblingPlan(planId: string, { value, unit, trials = [], preferences = {}, taxes }: Sibling) {
      const { product_id } = await world.call('GET', `/v1/billing/plans/${planId}`)
      const [sequence, frequency] = [trials.length + 1, { interval_unit: unit }]
      const cycle = { tenure_type: 'REGULAR', sequence, total_cycles: 0, frequency }
      const plan = await world.call('POST', '/v1/billing/plans', {
        ...{ product_id, name: 'Sibling', quantity_supported: true, payment_preferences: preferences },
        ...(taxes && { taxes }),
        billing_cycles: [...trials, { ...cycle, pricing_scheme: { fixed_price: usd(value) } }],
      })
      return String(plan.id)
    },
  }
}
