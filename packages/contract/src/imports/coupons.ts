import { z } from 'zod'
import { BillingTerm } from '../subscriptions.ts'
import { Amount, Country, Currency, Instant, inOrder, Text } from './fields.ts'

export const CouponRecord = z
  .strictObject({
    type: z.literal('coupon'),
    code: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, underscores and dashes')
      .meta({ shape: 'coupon code' })
      .describe('What the customer types; upper and lower case are the same'),
    percentOff: z
      .number()
      .gt(0)
      .max(100)
      .multipleOf(0.01)
      .optional()
      .describe('Percent of what is bought, before tax. Either this or `amountOff`'),
    amountOff: Amount.min(1).optional().describe('Of what is bought, before tax. Needs `currency`'),
    currency: Currency.optional().describe('The only one in which it can be used'),
    products: z.array(Text(64).min(1)).max(200).default([]).describe('Codes of the products it is for; none: all'),
    terms: z.array(BillingTerm).default([]).describe('The billing terms it is for; none: all'),
    countries: z.array(Country).max(250).default([]).describe('Of the default billing address; none: all'),
    validFrom: Instant.optional(),
    validUntil: Instant.optional().describe(
      'Not before `validFrom`. To withdraw a coupon, import it with a time that has passed',
    ),
    maxUses: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe('By all customers together; left out: as often as they like'),
    maxUsesPerCustomer: z.int().min(1).max(1_000_000_000).default(1),
  })
  .superRefine((record, context) => {
    const { percentOff, amountOff, currency } = record
    if ((percentOff === undefined) === (amountOff === undefined)) {
      context.addIssue({
        code: 'custom',
        path: ['amountOff'],
        message: 'exactly one of percentOff and amountOff is needed',
      })
    }
    if (amountOff !== undefined && currency === undefined) {
      context.addIssue({ code: 'custom', path: ['currency'], message: 'is needed with amountOff' })
    }
    inOrder(record, context, ['validFrom', 'validUntil'])
  })
  .meta({ description: 'A discount on one change of a subscription.', naturalKey: ['code'] })
