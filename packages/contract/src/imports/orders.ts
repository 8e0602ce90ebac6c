import { z } from 'zod'
import { OrderStatus } from '../orders.ts'
import { Amount, Country, Currency, Email, Instant, Text } from './fields.ts'

export const OfflineOrderRecord = z
  .strictObject({
    type: z.literal('offline-order'),
    orderNumber: Text(64).min(1),
    email: Email.describe('Of its member, imported before'),
    lines: z.array(Text(500).min(1)).min(1).max(100).describe('One entry a product line'),
    amount: Amount,
    currency: Currency,
    date: Instant,
  })
  .meta({
    description: 'An order made outside the store, through sales reps, distributors or resellers.',
    naturalKey: ['orderNumber'],
  })

export const OrderRecord = z
  .strictObject({
    type: z.literal('order'),
    orderNumber: Text(64).min(1),
    email: Email.describe('Of its member, imported before'),
    invoiceNumber: Text(64).default('').describe('No other order has it'),
    status: OrderStatus.describe(
      '`WT` in progress, `PD` pending, `QT` quoting, `OP` open, `CO` completed, `CL` canceled',
    ),
    lines: z
      .array(
        z.strictObject({
          text: Text(500).min(1),
          productCode: Text(64).default(''),
          amount: Amount.optional(),
        }),
      )
      .min(1)
      .max(100)
      .describe(
        'One entry a product line. `productCode` is of the catalog, for the download; one that is not there is a warning. `amount` is left out where the vendor’s system does not say',
      ),
    amount: Amount.describe('What was paid, tax included; negative for a credit'),
    tax: Amount.min(0).optional().describe('Part of `amount`; left out where the vendor’s system does not say'),
    currency: Currency,
    date: Instant,
    buyer: z
      .strictObject({
        name: Text(200).min(1),
        company: Text(256).default(''),
        email: z.union([Email, z.literal('')]).default(''),
        address: z.array(Text(256).min(1)).max(6).default([]),
        country: z.union([Country, z.literal('')]).default(''),
        taxIds: z.array(Text(64).min(1)).max(5).default([]),
      })
      .optional()
      .describe(
        'To whom an order summary or a pro forma is addressed, as it was at the time; `address` has a line an entry. Left out: the default billing address when the document is made',
      ),
    invoiceFile: Text(2000)
      .default('')
      .describe(
        'The vendor’s own PDF: a path in the folder of the import file (or below), read at once, or an https address at one of `INVOICE_HOSTS`, fetched at the first download',
      ),
  })
  .meta({
    description:
      'An order made in the store. Without `invoiceFile` the first download writes an "Order summary"; nothing is rendered by an import. An invoice that is stored, and an order that Atrium charged, are never changed.',
    naturalKey: ['orderNumber'],
  })
