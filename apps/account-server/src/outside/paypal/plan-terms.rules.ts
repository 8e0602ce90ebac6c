import { z } from 'zod'
import { Money, minorUnits } from './money.rules.ts'

/** A cycle of a plan, as PayPal shows it. */
export const Cycle = z.object({
  tenure_type: z.string(),
  sequence: z.number(),
  total_cycles: z.number().default(1),
  frequency: z.object({ interval_unit: z.string(), interval_count: z.number().default(1) }),
  pricing_scheme: z.object({ fixed_price: Money.optional() }).optional(),
})

/**
 * The terms of a plan, as a plan and a subscription to it show them. The defaults are those of PayPal's specification (Subscriptions,
 * version 1, `payment_preferences`); an override has none of its own, and leaves what it does not name as the plan has it.
 */
export const PlanTerms = z.object({
  product_id: z.string().default(''),
  name: z.string().default(''),
  billing_cycles: z.array(Cycle).default([]),
  payment_preferences: z
    .object({
      setup_fee: Money.optional(),
      auto_bill_outstanding: z.boolean().default(true),
      setup_fee_failure_action: z.string().default('CANCEL'),
    })
    .optional(),
  taxes: z.object({ percentage: z.string().default('0'), inclusive: z.boolean().default(true) }).optional(),
})

type Terms = Pick<z.output<typeof PlanTerms>, 'payment_preferences' | 'taxes'>

/** What an overridden subscription asks for beside its price, in words for the operator. A later change of its plan changes none of it. */
export function besidePrice(own: Terms): string {
  const [fee, tax] = [feeOf(own), taxOf(own)]
  return [
    fee > 0 && `setup fee ${fee}${isCollected(own) ? '' : ` ${notCollected}`}`,
    tax.onTop > 0 && `tax of ${tax.onTop} % on top`,
    tax.within > 0 && `tax of ${tax.within} % within the price`,
    !isBilledLater(own) && notBilledLater,
  ]
    .filter(Boolean)
    .join(', ')
}

const notCollected = 'that is not collected later if it fails'
const notBilledLater = 'what a cycle cannot collect is not billed with the next one'

/** How an overridden subscription leaves less to the vendor than its plan, as the plan is now; empty words: it does not. */
export interface LessThanPlan {
  /** The amount of the setup fee, which is charged once, with the approval. */
  fee: string
  /** Whether a fee or a cycle that fails is collected later, and the tax. */
  rest: string
}

export const noLess: LessThanPlan = { fee: '', rest: '' }

/** @returns in words for the operator */
export function lessThanPlan(own: Terms, plan: Terms): LessThanPlan {
  const [fee, tax, whole] = [feeOf(own), taxOf(own), taxOf(plan)]
  const isLessTax = tax.onTop < whole.onTop || tax.within > whole.within
  const rest = [
    fee > 0 && failedFeeWords(own, plan),
    isLessTax && `${taxWords(tax)} instead of ${taxWords(whole)}`,
    isBilledLater(plan) && !isBilledLater(own) && notBilledLater,
  ]
  return {
    fee: fee < feeOf(plan) ? `setup fee ${fee} instead of ${feeOf(plan)}` : '',
    rest: rest.filter(Boolean).join(', '),
  }
}

/** @returns undefined if a setup fee that fails is collected as the plan says */
function failedFeeWords(own: Terms, plan: Terms): string | undefined {
  if (isCollected(plan) && !isCollected(own)) return `a setup fee ${notCollected}`
  return endsWithoutFee(plan) && !endsWithoutFee(own) ? 'a setup fee that does not end it if it fails' : undefined
}

function taxWords({ onTop, within }: ReturnType<typeof taxOf>): string {
  return `a tax of ${onTop} % on top and ${within} % within the price`
}

/** A setup fee that fails ends the subscription, or is billed later. */
function isCollected(terms: Terms): boolean {
  return endsWithoutFee(terms) || isBilledLater(terms)
}

function endsWithoutFee({ payment_preferences: preferences }: Terms): boolean {
  return preferences?.setup_fee_failure_action !== 'CONTINUE'
}

/** What a cycle could not collect is billed with the next one. */
function isBilledLater({ payment_preferences: preferences }: Terms): boolean {
  return preferences?.auto_bill_outstanding !== false
}

/** In minor units. */
export function feeOf({ payment_preferences: preferences }: Pick<Terms, 'payment_preferences'>): number {
  return preferences?.setup_fee ? minorUnits(preferences.setup_fee) : 0
}

/** In percent of the price without it; a tax within the price is not charged beside it. */
export function taxOf({ taxes }: Pick<Terms, 'taxes'>): { onTop: number; within: number } {
  const percent = Number(taxes?.percentage) || 0
  return taxes?.inclusive === false ? { onTop: percent, within: 0 } : { onTop: 0, within: percent }
}
