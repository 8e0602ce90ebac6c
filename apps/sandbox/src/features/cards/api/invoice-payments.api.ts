import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Api } from '../requests/api.ts'
import { serveResource } from '../requests/resource.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { byColumn } from '../store/filters.ts'
import { oneOf, text } from '../wire/parameters.rules.ts'

/** Which payment intents pay which invoices. */
export function invoicePaymentsApi(api: Api): void {
  serveResource(api, {
    kind: 'invoice_payment',
    path: '/invoice_payments',
    filters: {
      invoice: byColumn(cardObjects.invoice),
      payment: z
        .strictObject({ type: oneOf(['payment_intent']), payment_intent: text() })
        .transform((payment) => eq(cardObjects.intent, payment.payment_intent))
        .optional(),
      status: oneOf(['canceled', 'open', 'paid'])
        .transform((status) => eq(cardObjects.status, status))
        .optional(),
    },
  })
}
