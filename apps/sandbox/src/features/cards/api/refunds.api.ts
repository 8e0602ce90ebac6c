import type Stripe from 'stripe'
import type { z } from 'zod'
import { refundCharge } from '../refunds/refunds.writes.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import { serveResource } from '../requests/resource.ts'
import { byCreated, byIntent, isField } from '../store/filters.ts'
import { paidCharges } from '../store/invoices.queries.ts'
import { find } from '../store/store.ts'
import { integer, metadata, oneOf, text } from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'

const made = {
  amount: integer({ least: 1 }).optional(),
  charge: text().optional(),
  metadata: metadata.optional(),
  payment_intent: text().optional(),
  reason: oneOf(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
}

export function refundsApi(api: Api): void {
  api.serve({ method: 'POST', path: '/refunds', takes: made, run: createRefund })

  serveResource(api, {
    kind: 'refund',
    path: '/refunds',
    filters: {
      charge: text()
        .transform((charge) => isField('charge', charge))
        .optional(),
      created: byCreated,
      payment_intent: byIntent,
    },
  })
}

async function createRefund(call: Call, given: z.output<z.ZodObject<typeof made>>): Promise<Stripe.Refund> {
  const { charge, payment_intent: intent, ...more } = given
  if ((charge === undefined) === (intent === undefined)) {
    throw invalidRequest('One of the following params should be provided for this request: payment_intent or charge.')
  }
  return refundCharge(call, charge ?? (await chargeOf(call, intent ?? '')), more)
}

async function chargeOf(call: Call, intent: string): Promise<string> {
  if (!(await find(call.tx, 'payment_intent', intent))) {
    throw noSuch('payment_intent', intent, { param: 'payment_intent' })
  }
  const [charge] = await paidCharges(call.tx, intent)
  if (!charge) {
    throw invalidRequest('This PaymentIntent does not have a successful charge to refund.', { param: 'payment_intent' })
  }
  return charge.object.id
}
