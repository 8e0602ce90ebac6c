import { emitEvent } from '../events/events.writes.ts'
import type { Cycle, Plan } from '../store/stored.ts'
import type { Call, Reading } from '../wire/call.ts'
import { wireTime } from '../wire/ids.rules.ts'
import { billingMoney } from '../wire/money.rules.ts'

export const plansPath = '/v1/billing/plans'

/** A plan as its list shows it, and the minimal answer to its creation. */
export function shortPlan(call: Reading, plan: Plan) {
  return {
    id: plan.id,
    product_id: plan.productId,
    name: plan.name,
    status: plan.status,
    ...(plan.description !== null && { description: plan.description }),
    usage_type: 'LICENSED',
    create_time: wireTime(plan.createdAt),
    links: linksOf(call, plan),
  }
}

export function wirePlan(call: Reading, plan: Plan) {
  return {
    id: plan.id,
    version: 1,
    product_id: plan.productId,
    name: plan.name,
    status: plan.status,
    ...(plan.description !== null && { description: plan.description }),
    usage_type: 'LICENSED',
    ...planTerms(plan),
    create_time: wireTime(plan.createdAt),
    update_time: wireTime(plan.updatedAt),
    links: linksOf(call, plan),
  }
}

/** The terms of a plan, which a subscription shows too. */
export function planTerms(plan: Plan) {
  return {
    billing_cycles: plan.cycles.map((cycle) => wireCycle(cycle, plan.currency)),
    payment_preferences: {
      service_type: 'PREPAID',
      auto_bill_outstanding: plan.autoBillOutstanding,
      setup_fee: billingMoney({ amount: plan.setupFee, currency: plan.currency }),
      setup_fee_failure_action: plan.setupFeeFailureAction,
      payment_failure_threshold: plan.failureThreshold,
    },
    ...(plan.taxes && { taxes: plan.taxes }),
    quantity_supported: plan.isQuantitySupported,
  }
}

function wireCycle({ sequence, tenure, frequency, totalCycles, prices }: Cycle, currency: string) {
  const price = prices.at(-1)
  return {
    ...(price && {
      pricing_scheme: {
        version: price.version,
        fixed_price: billingMoney({ amount: price.amount, currency }),
        create_time: wireTime(price.since),
        update_time: wireTime(price.since),
      },
    }),
    frequency: { interval_unit: frequency.unit, interval_count: frequency.count },
    tenure_type: tenure,
    sequence,
    total_cycles: totalCycles,
  }
}

function linksOf({ publicUrl }: Reading, { id, status }: Plan) {
  const href = `${publicUrl}${plansPath}/${id}`
  const switched = status === 'ACTIVE' ? 'deactivate' : 'activate'
  return [
    { href, rel: 'self', method: 'GET', encType: 'application/json' },
    { href, rel: 'edit', method: 'PATCH', encType: 'application/json' },
    { href: `${href}/${switched}`, rel: switched, method: 'POST', encType: 'application/json' },
    { href: `${href}/update-pricing-schemes`, rel: 'edit', method: 'POST', encType: 'application/json' },
  ]
}

const summaries = {
  'BILLING.PLAN.CREATED': 'A billing plan was created',
  'BILLING.PLAN.UPDATED': 'A billing plan was updated',
  'BILLING.PLAN.DEACTIVATED': 'A billing plan was deactivated',
  'BILLING.PLAN.PRICING-CHANGE.ACTIVATED': 'A price change of a plan was activated',
} as const

export function planEvent(call: Call, type: keyof typeof summaries, plan: Plan): Promise<void> {
  const resource = wirePlan(call, plan)
  return emitEvent(call, { type, resourceType: 'plan', resourceVersion: '2.0', summary: summaries[type], resource })
}
