import type { z } from 'zod'
import { find, findLocked, save } from '../store/store.ts'
import type { Cycle, Plan } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { money, type patches, percentage } from '../wire/fields.rules.ts'
import { newId } from '../wire/ids.rules.ts'
import { patchOf } from '../wire/patches.rules.ts'
import { impossible, notFound, type Refusal } from '../wire/refusal.ts'
import type { NewPlan, NewPrices } from './plans.parameters.ts'
import { planEvent } from './plans.wire.ts'

type Given = z.output<typeof NewPlan>

/** @throws Refusal 404 for an unknown product, 422 for cycles that make no sense */
export async function createPlan(call: Call, given: Given): Promise<Plan> {
  if (!(await find(call.tx, 'product', given.product_id))) throw notFound()
  refuseCycles(given.billing_cycles)
  const currency = currencyOf(given)
  const now = call.now.toISOString()
  const { payment_preferences: preferences } = given
  const plan: Plan = {
    id: newId.plan(),
    productId: given.product_id,
    name: given.name,
    description: given.description ?? null,
    status: 'ACTIVE',
    currency,
    cycles: given.billing_cycles.map((cycle) => cycleOf(cycle, now)).sort((a, b) => a.sequence - b.sequence),
    isQuantitySupported: given.quantity_supported,
    autoBillOutstanding: preferences.auto_bill_outstanding,
    setupFee: preferences.setup_fee?.amount ?? 0,
    setupFeeFailureAction: preferences.setup_fee_failure_action,
    failureThreshold: preferences.payment_failure_threshold,
    taxes: given.taxes ?? null,
    createdAt: now,
    updatedAt: now,
  }
  await save(call.tx, { kind: 'plan', object: plan })
  await planEvent(call, 'BILLING.PLAN.CREATED', plan)
  return plan
}

function cycleOf(cycle: Given['billing_cycles'][number], now: string): Cycle {
  const price = cycle.pricing_scheme?.fixed_price
  return {
    sequence: cycle.sequence,
    tenure: cycle.tenure_type,
    frequency: { unit: cycle.frequency.interval_unit, count: cycle.frequency.interval_count },
    totalCycles: cycle.total_cycles,
    prices: price ? [{ version: 1, amount: price.amount, since: now }] : [],
  }
}

/** @throws Refusal unless all amounts have one currency */
function currencyOf(given: Given): string {
  const fee = given.payment_preferences.setup_fee
  const all = [...given.billing_cycles.map(({ pricing_scheme: scheme }) => scheme?.fixed_price), fee]
  const currencies = new Set(all.flatMap((one) => one?.currency ?? []))
  const [currency] = currencies
  if (currency !== undefined && currencies.size === 1) return currency
  throw impossible('CURRENCY_MISMATCH', 'All amounts of a plan have the same currency.', '/billing_cycles')
}

/** PayPal's rules: up to two trials, at most one of them free, then one regular cycle, numbered from 1. */
function refuseCycles(cycles: Given['billing_cycles']): void {
  const ordered = cycles.toSorted((one, other) => one.sequence - other.sequence)
  const trials = ordered.filter(({ tenure_type: tenure }) => tenure === 'TRIAL')
  const regular = ordered.filter(({ tenure_type: tenure }) => tenure === 'REGULAR')
  if (regular.length === 0) throw refusedCycles('MISSING_REGULAR_BILLING_CYCLE', 'A plan needs a regular cycle.')
  if (regular.length > 1) {
    throw refusedCycles('MULTIPLE_REGULAR_BILLING_CYCLES_NOT_SUPPORTED', 'A plan has one regular cycle.')
  }
  if (trials.length > 2) {
    throw refusedCycles('MORE_THAN_TWO_TRIAL_BILLING_CYCLE_NOT_SUPPORTED', 'A plan has at most two trial cycles.')
  }
  if (trials.filter(({ pricing_scheme: price }) => !price?.fixed_price.amount).length > 1) {
    throw refusedCycles('MULTIPLE_FREE_TRIAL_BILLING_CYCLES_NOT_SUPPORTED', 'A plan has at most one free trial.')
  }
  if (trials.some(({ total_cycles: total }) => total === 0)) {
    throw refusedCycles('INVALID_TRIAL_BILLING_TOTAL_CYCLES', 'A trial ends after at least one cycle.')
  }
  const isNumbered = ordered.every(({ sequence }, place) => sequence === place + 1)
  if (!isNumbered || ordered.at(-1)?.tenure_type !== 'REGULAR') {
    throw refusedCycles('INVALID_BILLING_CYCLE_SEQUENCE', 'Cycles are numbered from 1, trials first.')
  }
  if (!regular[0]?.pricing_scheme) throw refusedCycles('MISSING_REQUIRED_PARAMETER', 'A regular cycle has a price.')
}

function refusedCycles(issue: string, description: string): Refusal {
  return impossible(issue, description, '/billing_cycles')
}

/** @throws Refusal 404 */
export async function lockedPlan(call: Call, id: string): Promise<Plan> {
  const plan = await findLocked(call.tx, 'plan', id)
  if (!plan) throw notFound()
  return plan
}

/** Gives cycles new prices; see `priceAt` for whom they count. */
export async function changePrices(call: Call, id: string, given: z.output<typeof NewPrices>): Promise<void> {
  const plan = await lockedPlan(call, id)
  if (plan.status === 'INACTIVE') {
    throw impossible('PRICING_SCHEME_UPDATE_NOT_ALLOWED', 'Only an active plan can get new prices.')
  }
  const now = call.now.toISOString()
  const cycles = given.pricing_schemes.reduce((changed, wanted) => {
    const price = wanted.pricing_scheme.fixed_price
    if (price.currency !== plan.currency) {
      throw impossible('CURRENCY_MISMATCH', 'The currency is not that of the plan.', '/pricing_schemes')
    }
    if (!changed.some(({ sequence }) => sequence === wanted.billing_cycle_sequence)) {
      throw impossible('INVALID_BILLING_CYCLE_SEQUENCE', 'The plan has no such cycle.', '/pricing_schemes')
    }
    return changed.map((cycle) =>
      cycle.sequence === wanted.billing_cycle_sequence ? repriced(cycle, price.amount, now) : cycle,
    )
  }, plan.cycles)
  const object = { ...plan, cycles, updatedAt: now }
  await save(call.tx, { kind: 'plan', object })
  await planEvent(call, 'BILLING.PLAN.PRICING-CHANGE.ACTIVATED', object)
}

function repriced(cycle: Cycle, amount: number, since: string): Cycle {
  const last = cycle.prices.at(-1)
  if (last?.amount === amount) {
    throw impossible('PRICING_SCHEME_UPDATE_NOT_ALLOWED', 'The price is the same as before.', '/pricing_schemes')
  }
  return { ...cycle, prices: [...cycle.prices, { version: (last?.version ?? 0) + 1, amount, since }] }
}

/** Changes the fee and the tax of who has subscribed too. @throws Refusal 422 for an inactive plan */
export async function patchPlan(call: Call, id: string, body: z.output<typeof patches>): Promise<void> {
  const plan = await lockedPlan(call, id)
  const inclusive = plan.taxes?.inclusive ?? true
  const change = patchOf<Plan>(body, {
    '/payment_preferences/setup_fee': money.transform(({ amount: setupFee }) => ({ setupFee })),
    '/taxes/percentage': percentage.transform((value) => ({ taxes: { inclusive, percentage: value } })),
  })
  if (plan.status === 'INACTIVE') throw impossible('PLAN_STATUS_INACTIVE', 'An inactive plan cannot be changed.')
  const object = { ...plan, ...change, updatedAt: call.now.toISOString() }
  await save(call.tx, { kind: 'plan', object })
  await planEvent(call, 'BILLING.PLAN.UPDATED', object)
}
