import { z } from 'zod'
import { priceData, signedAmount, taxBehavior, taxCode } from '../prices/prices.parameters.ts'
import { automaticTaxSetting, changedItems, prorationBehavior } from '../subscriptions/subscriptions.parameters.ts'
import { boolean, integer, list, metadata, moment, oneOf, text, unsettable } from '../wire/parameters.rules.ts'

export const servicePeriod = z.strictObject({ start: moment(), end: moment() })

export const createInvoiceParameters = {
  auto_advance: boolean().optional(),
  automatic_tax: automaticTaxSetting.optional(),
  collection_method: oneOf(['charge_automatically']).optional(),
  currency: text(3).optional(),
  customer: text().optional(),
  default_payment_method: text().optional(),
  description: unsettable(text(1500)).optional(),
  metadata: metadata.optional(),
  pending_invoice_items_behavior: oneOf(['exclude', 'include']).default('exclude'),
  subscription: text().optional(),
}

export const payParameters = {
  off_session: boolean().default(true),
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

export const removeLinesParameters = {
  lines: list(z.strictObject({ id: text(), behavior: oneOf(['delete', 'unassign']) })),
}

export const previewParameters = {
  automatic_tax: automaticTaxSetting.optional(),
  currency: text(3).optional(),
  customer: text().optional(),
  invoice_items: list(previewedItem).optional(),
  subscription: text().optional(),
  subscription_details: z
    .strictObject({
      items: changedItems.optional(),
      proration_behavior: prorationBehavior.optional(),
      proration_date: moment().optional(),
    })
    .optional(),
}

export type CreatedInvoice = z.output<z.ZodObject<typeof createInvoiceParameters>>
export type PaidInvoice = z.output<z.ZodObject<typeof payParameters>>
export type AddedLines = z.output<z.ZodObject<typeof addLinesParameters>>
export type RemovedLines = z.output<z.ZodObject<typeof removeLinesParameters>>
export type Previewed = z.output<z.ZodObject<typeof previewParameters>>
