import { z } from 'zod'
import { fault, integer, oneOf, text } from '../wire/parameters.rules.ts'

/** Of invoice items: also credits, which are negative. */
export const signedAmount = integer({ least: -99_999_999, most: 99_999_999 })

export const taxBehavior = oneOf(['exclusive', 'inclusive', 'unspecified'])

/** A kind of what is sold, as tax law has it. */
export const taxCode = text(40).transform((value, context) =>
  /^txcd_\d{8}$/.test(value) ? value : fault(context, { sentence: 'Invalid tax code: {value}' }),
)

/** A price for this one use, paid once. */
export const priceData = z.strictObject({
  currency: text(3),
  product: text(),
  tax_behavior: taxBehavior.optional(),
  unit_amount: integer({ most: 99_999_999 }),
})

/** Of what is added to a subscription: also a credit, which is negative. */
export const signedPriceData = priceData.extend({ unit_amount: signedAmount })

export type PriceData = z.output<typeof priceData>
