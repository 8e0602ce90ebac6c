import { z } from 'zod'
import { decimalsOf, minorUnits } from './money.rules.ts'

/** Refuses a value with an issue of PayPal's. @param status 422 where the value is well-formed, but not possible */
export function fault<Value>(
  context: z.core.$RefinementCtx<Value>,
  { issue, description, status = 400 }: { issue: string; description: string; status?: 400 | 422 },
): never {
  context.issues.push({ code: 'custom', input: context.value, message: description, params: { issue, status } })
  return z.NEVER
}

/** Text that the database can store. */
export function text(most: number, least = 1) {
  return z
    .string()
    .min(least)
    .max(most)
    .refine(isWhole, { params: syntax, message: 'The value has invalid characters.' })
}

const syntax = { issue: 'INVALID_PARAMETER_SYNTAX', status: 400 }

export function isWhole(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed()
}

/** A web address. PayPal asks for https; on this machine http is enough. */
export const webAddress = text(4000, 10).refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
  params: syntax,
  message: 'The value is not a web address.',
})

/** A time with its offset, of a year that the database and every calculation can hold. */
export const time = z.iso.datetime({ offset: true }).transform((value, context) => {
  const date = new Date(value)
  const year = date.getUTCFullYear()
  return year >= 1900 && year < 3000
    ? date
    : fault(context, { issue: 'INVALID_PARAMETER_VALUE', description: 'The time is out of range.' })
})

const currency = z
  .string()
  .transform((value, context) =>
    decimalsOf(value) === undefined
      ? fault(context, { issue: 'INVALID_CURRENCY_CODE', description: 'The currency is not supported.', status: 422 })
      : value,
  )

const decimal = z
  .string()
  .max(32)
  .regex(/^(\d{1,9}|\d{0,9}\.\d+)$/)

/** `{ currency_code, value }` */
export const money = z
  .strictObject({ currency_code: currency, value: decimal })
  .transform(({ currency_code, value }, context) => moneyOf(context, currency_code, value))

/** `{ currency, total }`, as version 1 of payments has it. */
export const total = z
  .strictObject({ currency, total: decimal, details: z.object({}).optional() })
  .transform((given, context) => moneyOf(context, given.currency, given.total))

function moneyOf<Value>(context: z.core.$RefinementCtx<Value>, code: string, value: string) {
  const amount = minorUnits(value, code)
  return amount === undefined
    ? fault(context, {
        issue: 'DECIMAL_PRECISION',
        description: 'The value has more decimals than its currency.',
        status: 422,
      })
    : { amount, currency: code }
}

/** A number as text, of parts too, and as large as PayPal takes it: what it means is the merchant's to judge. */
export const quantity = z
  .string()
  .max(32)
  .regex(/^(\d+|\d*\.\d+)$/)
  .refine((value) => Number(value) > 0, { params: syntax, message: 'The quantity is above zero.' })

/** A percentage as text: `19`, `7.7`. */
export const percentage = z.string().regex(/^\d{1,2}(\.\d{1,4})?$|^100$/)

const context = z.strictObject({
  return_url: webAddress.optional(),
  cancel_url: webAddress.optional(),
  brand_name: text(127).optional(),
  locale: text(10).optional(),
  landing_page: text(20).optional(),
  shipping_preference: z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']).optional(),
  user_action: z.enum(['CONTINUE', 'SUBSCRIBE_NOW', 'PAY_NOW']).optional(),
  payment_method: z.object({}).optional(),
  payment_method_preference: text(40).optional(),
})

/** What the approval page says, and where it leads. */
export const approvalContext = context.transform((given) => ({
  returnUrl: given.return_url ?? null,
  cancelUrl: given.cancel_url ?? null,
  brandName: given.brand_name ?? null,
  isContinue: given.user_action === 'CONTINUE',
}))

/** Of lists that are counted from 1. */
export const paging = {
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  page_size: z.coerce.number().int().min(1).max(20).default(10),
}

/** Why a status changes. */
export const reason = z.strictObject({ reason: text(128) })

/** JSON Patch: the stand-in replaces fields only. */
export const patches = z
  .array(z.strictObject({ op: z.literal('replace'), path: text(200), value: z.unknown() }))
  .min(1)
  .max(20)
