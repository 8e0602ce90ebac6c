import { z } from 'zod'
import { discountList } from '../discounts/discounts.writes.ts'
import { priceData, signedAmount, taxBehavior, taxCode } from '../prices/prices.parameters.ts'
import {
  automaticTaxSetting,
  cancelAt,
  changedItems,
  prorationBehavior,
  trialEnd,
} from '../subscriptions/subscriptions.parameters.ts'
import { boolean, integer, list, metadata, moment, oneOf, text, unsettable } from '../wire/parameters.rules.ts'

export const servicePeriod = z.strictObject({ start: moment(), end: moment() })

const details = {
  auto_advance: boolean().optional(),
  automatic_tax: automaticTaxSetting.optional(),
  collection_method: oneOf(['charge_automatically']).optional(),
  default_payment_method: text().optional(),
  description: unsettable(text(1500)).optional(),
  discounts: discountList.optional(),
  footer: unsettable(text()).optional(),
  metadata: metadata.optional(),
}

export const createInvoiceParameters = {
  ...details,
  currency: text(3).optional(),
  customer: text().optional(),
  pending_invoice_items_behavior: oneOf(['exclude', 'include']).default('exclude'),
  subscription: text().optional(),
}

export const updateInvoiceParameters = details

export const payParameters = {
  off_session: boolean().default(true),
  paid_out_of_band: boolean().default(false),
  payment_method: text().optional(),
}

const previewedItem = z.strictObject({
  amount: signedAmount.optional(),
  currency: text(3).optional(),
  description: text().optional(),
  discountable: boolean().optional(),
  metadata: metadata.optional(),
  period: servicePeriod.optional(),
  price: text().optional(),
  price_data: priceData.optional(),
  quantity: integer({ most: 1_000_000 }).optional(),
  tax_behavior: taxBehavior.optional(),
  tax_code: taxCode.optional(),
  unit_amount: signedAmount.optional(),
})

export const addLinesParameters = {
  lines: list(
    z.strictObject({
      amount: signedAmount.optional(),
      description: text().optional(),
      discountable: boolean().optional(),
      metadata: metadata.optional(),
      period: servicePeriod.optional(),
      pricing: z.strictObject({ price: text() }).optional(),
      quantity: integer({ most: 1_000_000 }).optional(),
    }),
  ),
}

export const previewParameters = {
  automatic_tax: automaticTaxSetting.optional(),
  currency: text(3).optional(),
  customer: text().optional(),
  discounts: discountList.optional(),
  invoice_items: list(previewedItem).optional(),
  preview_mode: oneOf(['next']).optional(),
  subscription: text().optional(),
  subscription_details: z
    .strictObject({
      billing_cycle_anchor: z
        .strictObject({ type: oneOf(['now', 'unchanged', 'timestamp']), timestamp: moment().optional() })
        .optional(),
      billing_mode: z.strictObject({ type: oneOf(['classic', 'flexible']) }).optional(),
      cancel_at: unsettable(cancelAt).optional(),
      cancel_at_period_end: boolean().optional(),
      cancel_now: boolean().optional(),
      items: changedItems.optional(),
      metadata: metadata.optional(),
      proration_behavior: prorationBehavior.optional(),
      proration_date: moment().optional(),
      trial_end: trialEnd.optional(),
    })
    .optional(),
}

export type CreatedInvoice = z.output<z.ZodObject<typeof createInvoiceParameters>>
export type UpdatedInvoice = z.output<z.ZodObject<typeof updateInvoiceParameters>>
export type PaidInvoice = z.output<z.ZodObject<typeof payParameters>>
export type AddedLines = z.output<z.ZodObject<typeof addLinesParameters>>
export type Previewed = z.output<z.ZodObject<typeof previewParameters>>
