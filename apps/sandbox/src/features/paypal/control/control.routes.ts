import { Problem } from '@atrium/server-kit/problem.ts'
import type { FastifyInstance } from 'fastify'
import { ownForms } from '../../../page/own-page.ts'
import { sendPage } from '../../../page/page.ts'
import { faultPlanOf } from '../../provider-kit/faults.control.ts'
import { rollCertificate } from '../events/certificates.ts'
import { deliveriesOf } from '../events/events.queries.ts'
import { faults } from '../store/faults.ts'
import type { PaypalDeps } from '../wire/call.ts'
import { Id } from './control.endpoints.ts'
import { type Overview, objectPage, overviewPage } from './control.page.ts'
import { anyObject, latest } from './control.queries.ts'
import {
  cancelSubscription,
  clearPayment,
  expireTokens,
  refundRest,
  resendToAll,
  setEchecks,
  setFunds,
  setLateness,
  voidUnpaidOrder,
} from './control.writes.ts'

/** The pages that show the provider's state, and act as the buyer and the merchant. */
export function controlRoutes(app: FastifyInstance, deps: PaypalDeps): void {
  app.get('/paypal', async (_request, reply) => sendPage(reply, overviewPage(await overview(deps))))

  app.get('/paypal/objects/:id', async (request, reply) => {
    const stored = await anyObject(deps.db, idIn(request.params))
    if (!stored) throw new Problem('not_found')
    return sendPage(reply, objectPage(stored))
  })

  ownForms(app, (forms) => {
    const act = (path: string, run: (id: string, body: unknown) => Promise<unknown>) =>
      forms.post(`/paypal/${path}`, async (request, reply) => {
        await run(path.includes(':id') ? idIn(request.params) : '', request.body)
        return reply.redirect('/paypal', 303)
      })

    act('faults', (_id, body) => faults.plan(deps.db, faultPlanOf(body)))
    act('faults/forget', () => faults.forget(deps.db))
    act('funds/:id/none', (id) => setFunds(deps, id, false))
    act('funds/:id/enough', (id) => setFunds(deps, id, true))
    act('lateness/:id/none', (id) => setLateness(deps, id, 0))
    act('lateness/:id/day', (id) => setLateness(deps, id, 24))
    act('echecks/:id/none', (id) => setEchecks(deps, id, false))
    act('echecks/:id/always', (id) => setEchecks(deps, id, true))
    act('subscriptions/:id/cancel-as-buyer', (id) => cancelSubscription(deps, id, 'buyer'))
    act('subscriptions/:id/cancel-as-merchant', (id) => cancelSubscription(deps, id, 'merchant'))
    act('orders/:id/void', (id) => voidUnpaidOrder(deps, id))
    act('payments/:id/refund', (id) => refundRest(deps, id))
    act('payments/:id/clear', (id) => clearPayment(deps, id, true))
    act('payments/:id/deny', (id) => clearPayment(deps, id, false))
    act('events/:id/resend', (id) => resendToAll(deps, id))
    act('certificate/roll', () => rollCertificate(deps.db))
    act('tokens/expire', () => expireTokens(deps))
  })
}

async function overview({ db }: PaypalDeps): Promise<Overview> {
  const [planned, subscriptions, orders, sales, captures, events, webhooks] = await Promise.all([
    faults.planned(db),
    latest(db, 'subscription'),
    latest(db, 'order'),
    latest(db, 'sale'),
    latest(db, 'capture'),
    latest(db, 'event'),
    latest(db, 'webhook'),
  ])
  const payments = [...sales, ...captures].sort((one, other) => other.createdAt.localeCompare(one.createdAt))
  const deliveries = await deliveriesOf(
    db,
    events.map(({ id }) => id),
  )
  return { faults: planned, subscriptions, orders, payments, events, deliveries, webhooks }
}

function idIn(params: unknown): string {
  const read = Id.safeParse(params)
  if (!read.success) throw new Problem('not_found')
  return read.data.id
}
