import { Problem } from '@atrium/server-kit/problem.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { ownForms } from '../../../page/own-page.ts'
import { sendPage } from '../../../page/page.ts'
import { markUncollectibleOnRequest, voidOnRequest } from '../invoicing/pay-request.ts'
import { refundCharge } from '../refunds/refunds.writes.ts'
import { type ApiDeps, type Call, ownCall } from '../requests/call.ts'
import { paidCharges, paymentsOf } from '../store/invoices.queries.ts'
import { afterRetriesWords } from '../store/retries.rules.ts'
import { retrySettings, saveRetrySettings } from '../store/settings.queries.ts'
import { idOf } from '../store/stored.ts'
import { cancelSubscription } from '../subscriptions/cancel.ts'
import { noSuch, Refusal } from '../wire/refusal.ts'
import { refusedPage } from './refused.page.ts'

const Target = z.object({ id: z.string().regex(/^(sub|in)_\w{1,64}$/) })
const Retries = z.object({ afterRetries: z.enum(afterRetriesWords) })

const actions: Readonly<Record<string, (call: Call, id: string) => Promise<object>>> = {
  'subscriptions/:id/cancel': cancelSubscription,
  'invoices/:id/void': voidOnRequest,
  'invoices/:id/uncollectible': markUncollectibleOnRequest,
  'invoices/:id/refund': refundInvoice,
}

/** What a vendor does in the provider's dashboard, as buttons. */
export function billingRoutes(app: FastifyInstance, deps: ApiDeps): void {
  ownForms(app, (forms) => {
    for (const [path, act] of Object.entries(actions)) {
      forms.post(`/cards/billing/${path}`, async (request, reply) => {
        const target = Target.safeParse(request.params)
        if (!target.success) throw new Problem('not_found')
        return answer(reply, deps, (call) => act(call, target.data.id))
      })
    }

    forms.post('/cards/billing/retries', async (request, reply) => {
      const wanted = Retries.safeParse(request.body)
      if (!wanted.success) throw new Problem('not_found')
      await saveRetrySettings(deps.db, { ...(await retrySettings(deps.db)), ...wanted.data })
      return reply.redirect('/cards', 303)
    })
  })
}

/** A refusal is shown in the provider's words. */
async function answer(reply: FastifyReply, deps: ApiDeps, act: (call: Call) => Promise<object>) {
  try {
    await deps.db.transaction(async (tx) => act(await ownCall(tx, deps)))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return sendPage(reply.code(error.status), refusedPage(error.body.message))
  }
  deps.onEvents()
  return reply.redirect('/cards', 303)
}

/** Gives back all that is left of an invoice's payment. */
async function refundInvoice(call: Call, id: string): Promise<object> {
  const paid = (await paymentsOf(call.tx, id)).find(({ object }) => object.status === 'paid')
  const [charge] = await paidCharges(call.tx, idOf(paid?.object.payment.payment_intent) ?? '')
  if (!charge) throw noSuch('charge', id, { status: 404 })
  return refundCharge(call, charge.object.id, {})
}
