import { z } from 'zod'
import { approvalContext, fault, isWhole, money, text } from '../wire/fields.rules.ts'
import { decimalsOf, minorUnits } from '../wire/money.rules.ts'

/** What adds up to the total. */
const added = ['item_total', 'shipping', 'handling', 'tax_total', 'insurance'] as const
const subtracted = ['shipping_discount', 'discount'] as const

const breakdown = z.strictObject(Object.fromEntries([...added, ...subtracted].map((name) => [name, money.optional()])))

export const amount = z
  .strictObject({
    currency_code: z.string().regex(/^[A-Z]{3}$/),
    value: z
      .string()
      .max(32)
      .regex(/^(\d{1,9}|\d{0,9}\.\d+)$/),
    breakdown: breakdown.optional(),
  })
  .transform((given, context) => {
    const { currency_code: currency } = given
    const refuse = (issue: string, description: string) => fault(context, { issue, description, status: 422 })
    if (decimalsOf(currency) === undefined) return refuse('INVALID_CURRENCY_CODE', 'The currency is not supported.')
    const total = minorUnits(given.value, currency)
    if (total === undefined) return refuse('DECIMAL_PRECISION', 'The value has more decimals than its currency.')
    if (total <= 0) return refuse('CANNOT_BE_ZERO_OR_NEGATIVE', 'The total must be greater than zero.')
    const parts = partsOf(given.breakdown)
    if (parts.some((part) => part.currency !== currency)) {
      return refuse('MULTI_CURRENCY_ORDER', 'All amounts of an order have the same currency.')
    }
    const sum = parts.reduce((all, part) => all + part.sign * part.amount, 0)
    if (parts.length > 0 && sum !== total) {
      return refuse('AMOUNT_MISMATCH', 'The total is not the sum of its breakdown.')
    }
    const named = parts.map((part): [string, number] => [part.name, part.amount])
    return { total: { amount: total, currency }, breakdown: parts.length > 0 ? Object.fromEntries(named) : null }
  })

function partsOf(given: z.output<typeof breakdown> | undefined) {
  const of = (names: readonly string[], sign: 1 | -1) =>
    names.flatMap((name) => {
      const part = given?.[name]
      return part ? [{ name, sign, ...part }] : []
    })
  return [...of(added, 1), ...of(subtracted, -1)]
}

const item = z.strictObject({
  name: text(127),
  quantity: z.string().regex(/^[1-9]\d{0,9}$/),
  unit_amount: money,
  description: text(2048).optional(),
  sku: text(127).optional(),
  category: z.enum(['DIGITAL_GOODS', 'PHYSICAL_GOODS', 'DONATION']).optional(),
  tax: money.optional(),
  url: text(2048).optional(),
})

const unit = z
  .strictObject({
    reference_id: text(256).default('default'),
    amount,
    description: text(127).optional(),
    custom_id: text(255).optional(),
    invoice_id: text(127).optional(),
    soft_descriptor: text(22).optional(),
    items: z.array(z.unknown()).max(100).optional(),
  })
  .transform((given, context) => {
    const items = z.array(item).safeParse(given.items ?? [])
    if (!items.success) {
      return fault(context, { issue: 'INVALID_PARAMETER_SYNTAX', description: 'An item does not have its format.' })
    }
    const sum = items.data.reduce((all, one) => all + Number(one.quantity) * one.unit_amount.amount, 0)
    const itemTotal = given.amount.breakdown?.item_total
    if (given.items && itemTotal === undefined) {
      return fault(context, { issue: 'ITEM_TOTAL_REQUIRED', description: 'Items need an item total.', status: 422 })
    }
    if (given.items && sum !== itemTotal) {
      const description = 'The item total is not the sum of the items.'
      return fault(context, { issue: 'ITEM_TOTAL_MISMATCH', description, status: 422 })
    }
    return { ...given, items: given.items?.every(isRecord) ? given.items : null }
  })

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && isWhole(JSON.stringify(value))
}

const person = z.strictObject({
  email_address: z.email().max(254).optional(),
  name: z.strictObject({ given_name: text(140).optional(), surname: text(140).optional() }).optional(),
})

export const NewOrder = z.strictObject({
  intent: z.enum(['CAPTURE', 'AUTHORIZE']),
  purchase_units: z.array(unit).min(1).max(10),
  payment_source: z
    .strictObject({ paypal: person.extend({ experience_context: approvalContext.optional() }) })
    .optional(),
  payer: person.optional(),
  application_context: approvalContext.optional(),
})

export const NewRefund = z
  .strictObject({
    amount: money.optional(),
    invoice_id: text(127).optional(),
    custom_id: text(127).optional(),
    note_to_payer: text(255).optional(),
  })
  .default({})
