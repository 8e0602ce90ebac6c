import { z } from 'zod'
import { money, percentage, text } from '../wire/fields.rules.ts'

/** Only fixed prices: the stand-in has no volumes and tiers. */
const PricingScheme = z.strictObject({ fixed_price: money })

const frequency = z
  .strictObject({
    interval_unit: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']),
    interval_count: z.number().int().min(1).default(1),
  })
  // At most a year in all, as PayPal allows.
  .refine(({ interval_unit: unit, interval_count: many }) => many <= { DAY: 365, WEEK: 52, MONTH: 12, YEAR: 1 }[unit], {
    params: { issue: 'INVALID_PARAMETER_VALUE', status: 400 },
    message: 'A cycle lasts at most a year.',
    path: ['interval_count'],
  })

const cycle = z.strictObject({
  frequency,
  tenure_type: z.enum(['REGULAR', 'TRIAL']),
  sequence: z.number().int().min(1).max(99),
  total_cycles: z.number().int().min(0).max(999).default(1),
  pricing_scheme: PricingScheme.optional(),
})

export const NewPlan = z.strictObject({
  product_id: text(50, 6),
  name: text(127),
  description: text(127).optional(),
  billing_cycles: z.array(cycle).min(1).max(12),
  payment_preferences: z.strictObject({
    auto_bill_outstanding: z.boolean().default(true),
    setup_fee: money.optional(),
    setup_fee_failure_action: z.enum(['CONTINUE', 'CANCEL']).default('CANCEL'),
    payment_failure_threshold: z.number().int().min(0).max(999).default(0),
  }),
  taxes: z.strictObject({ percentage, inclusive: z.boolean().default(true) }).optional(),
  quantity_supported: z.boolean().default(false),
})

/** The terms of a plan that a subscription may override: all but the length of its cycles. */
export const InlinePlan = z.strictObject({
  billing_cycles: z
    .array(
      z.strictObject({
        sequence: z.number().int().min(1).max(99),
        total_cycles: z.number().int().min(0).max(999).optional(),
        pricing_scheme: PricingScheme.optional(),
      }),
    )
    .min(1)
    .max(12)
    .optional(),
  payment_preferences: z
    .strictObject({
      auto_bill_outstanding: z.boolean().optional(),
      setup_fee: money.optional(),
      setup_fee_failure_action: z.enum(['CONTINUE', 'CANCEL']).optional(),
      payment_failure_threshold: z.number().int().min(0).max(999).optional(),
    })
    .optional(),
  taxes: z.strictObject({ percentage: percentage.optional(), inclusive: z.boolean().optional() }).optional(),
})

export const NewPrices = z.strictObject({
  pricing_schemes: z
    .array(
      z.strictObject({
        billing_cycle_sequence: z.number().int().min(1).max(99),
        pricing_scheme: PricingScheme,
      }),
    )
    .min(1)
    .max(99),
})
