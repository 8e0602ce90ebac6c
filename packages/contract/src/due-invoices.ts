import { z } from 'zod'
import { declineReasons } from './declines.ts'
import { MinorUnits } from './money.ts'

const Decline = z.object({
  reason: z.enum(declineReasons),
  card: z.object({ brand: z.string(), last4: z.string() }).optional(),
  at: z.iso.datetime().optional(),
})

/** One of several open invoices of a subscription. */
export const DueInvoice = z.object({
  orderNumber: z.string(),
  /** What it is for. */
  name: z.string(),
  date: z.iso.datetime(),
  amount: MinorUnits,
  payUrl: z.string(),
  /** Why its last payment was declined, with which card, and when, as far as that is known; left out: none was. */
  decline: Decline.optional(),
})
