import { z } from 'zod'
import { prorationBehavior } from '../subscriptions/subscriptions.parameters.ts'
import { integer, list, metadata, moment, oneOf, text, unsettable } from '../wire/parameters.rules.ts'

const duration = z.strictObject({
  interval: oneOf(['day', 'week', 'month', 'year']),
  interval_count: integer({ least: 1, most: 60 }).optional(),
})

const phases = list(
  z.strictObject({
    items: list(
      z.strictObject({
        price: text(),
        quantity: integer({ most: 1_000_000 }).optional(),
        metadata: metadata.optional(),
      }),
    ),
    default_payment_method: text().optional(),
    start_date: moment().optional(),
    end_date: moment().optional(),
    duration: duration.optional(),
    metadata: metadata.optional(),
    proration_behavior: prorationBehavior.optional(),
  }),
)

export type GivenPhase = z.output<typeof phases>[number]

const endBehavior = oneOf(['cancel', 'release'])

export const createParameters = {
  customer: text().optional(),
  end_behavior: endBehavior.optional(),
  from_subscription: text().optional(),
  metadata: metadata.optional(),
  phases: phases.optional(),
  start_date: moment().optional(),
}

export const updateParameters = {
  default_settings: z.strictObject({ default_payment_method: unsettable(text()).optional() }).optional(),
  end_behavior: endBehavior.optional(),
  metadata: metadata.optional(),
  phases: phases.optional(),
  proration_behavior: prorationBehavior.optional(),
}

export type Created = z.output<z.ZodObject<typeof createParameters>>
export type Updated = z.output<z.ZodObject<typeof updateParameters>>
