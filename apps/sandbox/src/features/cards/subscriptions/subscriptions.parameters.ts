import { z } from 'zod'
import { discountList } from '../discounts/discounts.writes.ts'
import { signedPriceData } from '../prices/prices.parameters.ts'
import { boolean, fault, integer, list, metadata, moment, oneOf, text, unsettable } from '../wire/parameters.rules.ts'

const quantity = integer({ most: 1_000_000 })

const newItems = list(
  z.strictObject({
    price: text(),
    quantity: quantity.optional(),
    metadata: metadata.optional(),
  }),
)

export const changedItems = list(
  z.strictObject({
    id: text().optional(),
    deleted: boolean().optional(),
    price: text().optional(),
    quantity: quantity.optional(),
    metadata: metadata.optional(),
  }),
)

export type GivenItem = z.output<typeof changedItems>[number]

const periodStart = z.strictObject({
  type: oneOf(['max_item_period_start', 'now', 'timestamp']),
  timestamp: moment().optional(),
})

const periodEnd = z.strictObject({ type: oneOf(['min_item_period_end', 'timestamp']), timestamp: moment().optional() })

/** Where the period of an added item starts or ends. */
export type PeriodBoundary = z.output<typeof periodStart> | z.output<typeof periodEnd>

const addedInvoiceItems = list(
  z.strictObject({
    price: text().optional(),
    price_data: signedPriceData.optional(),
    quantity: quantity.optional(),
    metadata: metadata.optional(),
    discountable: boolean().optional(),
    period: z.strictObject({ start: periodStart, end: periodEnd }).optional(),
  }),
)

export type AddedItem = z.output<typeof addedInvoiceItems>[number]

/** A moment in the future, or `now`. */
const trialEnd = text().transform((value, context): number | 'now' => {
  if (value === 'now') return value
  return /^\d{1,10}$/.test(value) ? Number(value) : fault(context, { sentence: 'Invalid timestamp: {value}' })
})

export const prorationBehavior = oneOf(['always_invoice', 'create_prorations', 'none'])

const paymentBehavior = oneOf(['allow_incomplete', 'default_incomplete', 'pending_if_incomplete'])

export type PaymentBehavior = z.output<typeof paymentBehavior>

export const automaticTaxSetting = z.strictObject({
  enabled: boolean(),
  liability: z.strictObject({ type: oneOf(['self']) }).optional(),
})

const trialSettings = z.strictObject({
  end_behavior: z.strictObject({
    missing_payment_method: oneOf(['cancel', 'create_invoice', 'pause']),
  }),
})

const shared = {
  add_invoice_items: addedInvoiceItems.optional(),
  automatic_tax: automaticTaxSetting.optional(),
  cancel_at_period_end: boolean().optional(),
  collection_method: oneOf(['charge_automatically']).optional(),
  default_payment_method: unsettable(text()).optional(),
  description: unsettable(text(500)).optional(),
  discounts: discountList.optional(),
  metadata: metadata.optional(),
  off_session: boolean().optional(),
  payment_behavior: paymentBehavior.optional(),
  payment_settings: z
    .strictObject({
      save_default_payment_method: oneOf(['off', 'on_subscription']).optional(),
    })
    .optional(),
  proration_behavior: prorationBehavior.optional(),
  trial_end: trialEnd.optional(),
  trial_settings: trialSettings.optional(),
}

export const createParameters = {
  ...shared,
  billing_cycle_anchor: moment().optional(),
  cancel_at: moment().optional(),
  currency: text(3).optional(),
  customer: text(),
  items: newItems,
  trial_period_days: integer({ least: 0, most: 730 }).optional(),
}

/** Other ways to resume are missing. */
export const resumeParameters = {
  billing_cycle_anchor: z.strictObject({ type: oneOf(['unchanged']) }),
  proration_behavior: oneOf(['none']),
}

export const updateParameters = {
  ...shared,
  billing_cycle_anchor: z.strictObject({ type: oneOf(['now', 'unchanged']) }).optional(),
  cancel_at: unsettable(moment()).optional(),
  items: changedItems.optional(),
  pause_collection: unsettable(
    z.strictObject({ behavior: oneOf(['keep_as_draft', 'mark_uncollectible', 'void']) }),
  ).optional(),
  proration_date: moment().optional(),
}

export type Created = z.output<z.ZodObject<typeof createParameters>>
export type Updated = z.output<z.ZodObject<typeof updateParameters>>
