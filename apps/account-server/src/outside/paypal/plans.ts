import { z } from 'zod'
import { ifKnown } from '../provider-failure.ts'
import type { CallPaypal } from './client.ts'
import { type Money, minorUnits } from './money.rules.ts'
import { type Cycle, PlanTerms } from './plan-terms.rules.ts'

const ShortPlan = z.object({ id: z.string(), status: z.string(), description: z.string().default('') })
const WholePlan = ShortPlan.extend(PlanTerms.shape)

export interface Interval {
  unit: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  count: number
}

/** What is charged for one unit in every interval, after trials. */
interface RegularPrice {
  /** Minor units; null: not per unit. */
  amount: number | null
  /** ISO 4217; empty if the amount is null. */
  currency: string
  interval: Interval | null
}

/** Cycles before the regular ones. */
export interface PlanTrial {
  sequence: number
  interval: Interval
  /** How often the cycle is run. */
  cycles: number
  /** Of one unit in every cycle, in minor units; 0: free. */
  amount: number
}

export interface PaypalPlan extends RegularPrice {
  id: string
  productId: string
  name: string
  /** Which price of the catalog it is: the same text as the card provider's lookup key; empty if the vendor made it. */
  lookupKey: string
  isActive: boolean
}

interface NewPlan {
  productId: string
  /** The customer reads it at PayPal. */
  name: string
  lookupKey: string
  price: z.output<typeof Money>
  interval: 'MONTH' | 'YEAR'
  /** The plan that is sold now: the same request may create another plan once it is replaced. */
  replaces: string | undefined
}

const Unit = z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR'])

/** The longest page of its lists. */
const pageSize = 20

export function planCalls(call: CallPaypal) {
  const readPlan = async (id: string) =>
    planFrom(await call({ method: 'GET', path: `/v1/billing/plans/${id}` }, WholePlan))

  return {
    /** All plans of the vendor. A list has no prices, so each plan is read. */
    async plans(): Promise<PaypalPlan[]> {
      const all: PaypalPlan[] = []
      for (let page = 1; ; page += 1) {
        const query = { page: String(page), page_size: String(pageSize) }
        const { plans } = await call({ method: 'GET', path: '/v1/billing/plans', query }, Plans)
        for (const { id } of plans) all.push(await readPlan(id))
        if (plans.length < pageSize) return all
      }
    },

    /** Makes a catalog product unless it is there. @param id of the vendor's choice */
    async ensureProduct({ id, name }: { id: string; name: string }): Promise<void> {
      const path = '/v1/catalogs/products'
      if (await ifKnown(call({ method: 'GET', path: `${path}/${id}` }, Named))) return
      const body = { id, name, type: 'DIGITAL', category: 'SOFTWARE' }
      await call({ method: 'POST', path, body, requestId: `product-${id}` }, Named)
    },

    /** It stays for those who pay it, and is not sold any more. */
    async deactivatePlan(id: string): Promise<void> {
      await call({ method: 'POST', path: `/v1/billing/plans/${id}/deactivate` }, z.object({}))
    },

    async createPlan({ productId, name, lookupKey, price, interval, replaces }: NewPlan): Promise<PaypalPlan> {
      const body = {
        product_id: productId,
        name,
        description: lookupKey,
        billing_cycles: [
          {
            frequency: { interval_unit: interval, interval_count: 1 },
            tenure_type: 'REGULAR',
            sequence: 1,
            total_cycles: 0,
            pricing_scheme: { fixed_price: price },
          },
        ],
        payment_preferences: { auto_bill_outstanding: true, payment_failure_threshold: 3 },
        quantity_supported: true,
      }
      const requestId = `plan-${lookupKey}-${price.value}-${replaces ?? productId}`
      return planFrom(await call({ method: 'POST', path: '/v1/billing/plans', body, requestId }, WholePlan))
    },
  }
}

const Named = z.object({ id: z.string() })
const Plans = z.object({ plans: z.array(ShortPlan).default([]) })

function planFrom(plan: z.output<typeof WholePlan>): PaypalPlan {
  const { id, status, description, product_id: productId, name } = plan
  return { id, productId, name, lookupKey: description, isActive: status === 'ACTIVE', ...regularPrice(plan) }
}

/** @returns amount null where PayPal has tiers or volumes, which are not used here */
export function regularPrice({
  billing_cycles: cycles,
}: Pick<z.output<typeof PlanTerms>, 'billing_cycles'>): RegularPrice {
  const regular = cycles.find(({ tenure_type: tenure }) => tenure === 'REGULAR')
  const price = regular?.pricing_scheme?.fixed_price
  return {
    amount: price ? minorUnits(price) : null,
    currency: price?.currency_code ?? '',
    interval: regular ? intervalOf(regular) : null,
  }
}

export function trialsOf({
  billing_cycles: cycles,
}: Pick<z.output<typeof PlanTerms>, 'billing_cycles'>): readonly PlanTrial[] {
  return cycles
    .filter(({ tenure_type: tenure }) => tenure === 'TRIAL')
    .toSorted((one, other) => one.sequence - other.sequence)
    .flatMap((cycle) => {
      const interval = intervalOf(cycle)
      const price = cycle.pricing_scheme?.fixed_price
      const amount = price ? minorUnits(price) : 0
      return interval ? [{ sequence: cycle.sequence, interval, cycles: cycle.total_cycles, amount }] : []
    })
}

/** A year at most, as PayPal allows. */
const longest = { DAY: 366, WEEK: 53, MONTH: 12, YEAR: 1 } as const

function intervalOf({ frequency }: z.output<typeof Cycle>): Interval | null {
  const unit = Unit.safeParse(frequency.interval_unit)
  const count = Math.max(1, Math.trunc(frequency.interval_count))
  return unit.success && count <= longest[unit.data] ? { unit: unit.data, count } : null
}
