import { z } from 'zod'
import { InlinePlan } from '../plans/plans.parameters.ts'
import { approvalContext, quantity, text, time } from '../wire/fields.rules.ts'

const PlanId = z
  .string()
  .length(26)
  .regex(/^P-[A-Z0-9]*$/)

export const NewSubscription = z.strictObject({
  plan_id: PlanId,
  start_time: time.optional(),
  quantity: quantity.default('1'),
  plan: InlinePlan.optional(),
  application_context: approvalContext.optional(),
  custom_id: text(127)
    .regex(/^[\x20-\x7e]+$/)
    .optional(),
})

export const Revision = z.strictObject({
  plan_id: PlanId.optional(),
  quantity: quantity.optional(),
  plan: InlinePlan.optional(),
  application_context: approvalContext.optional(),
})

/** Further parts of a subscription that its reply shows. */
export const Fields = z.object({ fields: text(100).optional() })

export const Period = z.object({ start_time: time, end_time: time })
