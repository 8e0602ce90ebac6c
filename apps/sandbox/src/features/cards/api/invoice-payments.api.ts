import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Api } from '../requests/api.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { find, listed } from '../store/store.ts'
import { oneOf, paging, text } from '../wire/parameters.rules.ts'
import { noSuch } from '../wire/refusal.ts'

/** Which payment intents pay which invoices. */
export function invoicePaymentsApi(api: Api): void {
  api.serve({
    method: 'GET',
    path: '/invoice_payments/:id',
    takes: {},
    async run({ tx }, _given, { id }) {
      const found = await find(tx, 'invoice_payment', id)
      if (!found) throw noSuch('invoice_payment', id, { status: 404 })
      return found.object
    },
  })

  api.serve({
    method: 'GET',
    path: '/invoice_payments',
    takes: {
      ...paging,
      invoice: text().optional(),
      payment: z.strictObject({ type: oneOf(['payment_intent']), payment_intent: text() }).optional(),
      status: oneOf(['canceled', 'open', 'paid']).optional(),
    },
    run: ({ tx }, { invoice, payment, status, ...page }) =>
      listed(tx, {
        kind: 'invoice_payment',
        noun: 'invoice_payment',
        url: '/v1/invoice_payments',
        page,
        where: [
          invoice === undefined ? undefined : eq(cardObjects.invoice, invoice),
          payment && eq(cardObjects.intent, payment.payment_intent),
          status && eq(cardObjects.status, status),
        ],
      }),
  })
}
