import { z } from 'zod'
import { approvalContext, fault, money, text } from '../wire/fields.rules.ts'

export const amount = money.transform((total, context) =>
  total.amount > 0
    ? total
    : fault(context, {
        issue: 'CANNOT_BE_ZERO_OR_NEGATIVE',
        description: 'The total must be greater than zero.',
        status: 422,
      }),
)

const unit = z.strictObject({
  reference_id: text(256).default('default'),
  amount,
  description: text(127).optional(),
  custom_id: text(255).optional(),
  invoice_id: text(127).optional(),
})

export const NewOrder = z.strictObject({
  intent: z.literal('CAPTURE'),
  purchase_units: z.array(unit).min(1).max(10),
  payment_source: z
    .strictObject({ paypal: z.strictObject({ experience_context: approvalContext.optional() }) })
    .optional(),
})

export const NewRefund = z.strictObject({ amount: money.optional() }).default({})
