import type { Reader } from '@atrium/server-kit/database.ts'
import type { z } from 'zod'
import { find } from '../store/store.ts'
import type { Cycle, Plan, Subscription } from '../store/stored.ts'
import { impossible } from '../wire/refusal.ts'
import type { InlinePlan } from './plans.parameters.ts'

type Given = z.output<typeof InlinePlan>

/** The plan that a subscription is billed by: with what its creation overrode. */
export async function billedPlan(
  db: Reader,
  { planId, override }: Pick<Subscription, 'planId' | 'override'>,
): Promise<Plan | undefined> {
  const plan = await find(db, 'plan', planId)
  return plan && override ? { ...plan, ...override } : plan
}

/**
 * What a subscription has instead of the terms of its plan. Whoever creates it says what: with a browser, that is the buyer.
 * @throws Refusal 422 for a cycle that the plan does not have, and another currency
 */
export function overrideOf(plan: Plan, given: Given, now: string): NonNullable<Subscription['override']> {
  const { billing_cycles: cycles = [], payment_preferences: preferences, taxes } = given
  if (cycles.some(({ sequence }) => !plan.cycles.some((cycle) => cycle.sequence === sequence))) {
    throw impossible('INVALID_BILLING_CYCLE_SEQUENCE', 'The plan has no such cycle.', '/plan/billing_cycles')
  }
  const amounts = [...cycles.map(({ pricing_scheme: scheme }) => scheme?.fixed_price), preferences?.setup_fee]
  if (amounts.some((amount) => amount && amount.currency !== plan.currency)) {
    throw impossible('CURRENCY_MISMATCH', 'The currency is not that of the plan.', '/plan')
  }
  return {
    cycles: plan.cycles.map((cycle) => {
      const wanted = cycles.find(({ sequence }) => sequence === cycle.sequence)
      return wanted ? overriddenCycle(cycle, wanted, now) : cycle
    }),
    autoBillOutstanding: preferences?.auto_bill_outstanding ?? plan.autoBillOutstanding,
    setupFee: preferences?.setup_fee?.amount ?? plan.setupFee,
    setupFeeFailureAction: preferences?.setup_fee_failure_action ?? plan.setupFeeFailureAction,
    failureThreshold: preferences?.payment_failure_threshold ?? plan.failureThreshold,
    taxes: taxes
      ? {
          percentage: taxes.percentage ?? plan.taxes?.percentage ?? '0',
          inclusive: taxes.inclusive ?? plan.taxes?.inclusive ?? true,
        }
      : plan.taxes,
  }
}

function overriddenCycle(cycle: Cycle, wanted: NonNullable<Given['billing_cycles']>[number], now: string): Cycle {
  const price = wanted.pricing_scheme?.fixed_price
  return {
    ...cycle,
    totalCycles: wanted.total_cycles ?? cycle.totalCycles,
    prices: price ? [{ version: 1, amount: price.amount, since: now }] : cycle.prices,
  }
}
