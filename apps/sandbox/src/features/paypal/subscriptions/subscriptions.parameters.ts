import { z } from 'zod'
import { InlinePlan } from '../plans/plans.parameters.ts'
import { approvalContext, money, paging, quantity, text, time } from '../wire/fields.rules.ts'

const PlanId = z
  .string()
  .length(26)
  .regex(/^P-[A-Z0-9]*$/)

const subscriber = z.strictObject({
  name: z.strictObject({ given_name: text(140).optional(), surname: text(140).optional() }).optional(),
  email_address: z.email().max(254).optional(),
  shipping_address: z.object({}).optional(),
  phone: z.object({}).optional(),
})

export const NewSubscription = z.strictObject({
  plan_id: PlanId,
  start_time: time.optional(),
  quantity: quantity.default('1'),
  plan: InlinePlan.optional(),
  shipping_amount: money.optional(),
  subscriber: subscriber.optional(),
  application_context: approvalContext.optional(),
  custom_id: text(127)
    .regex(/^[\x20-\x7e]+$/)
    .optional(),
  auto_renewal: z.boolean().optional(),
})

export const Revision = z.strictObject({
  plan_id: PlanId.optional(),
  quantity: quantity.optional(),
  plan: InlinePlan.optional(),
  shipping_amount: money.optional(),
  application_context: approvalContext.optional(),
})

export const OutstandingCapture = z.strictObject({
  note: text(128),
  capture_type: z.literal('OUTSTANDING_BALANCE'),
  amount: money,
})

export const Filter = z.object({
  ...paging,
  plan_ids: text(300).optional(),
  statuses: text(100).optional(),
})

/** Further parts of a subscription that its reply shows. */
export const Fields = z.object({ fields: text(100).optional() })

export const Period = z.object({ start_time: time, end_time: time })
