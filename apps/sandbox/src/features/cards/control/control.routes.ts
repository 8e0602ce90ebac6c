import { Problem } from '@atrium/server-kit/problem.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ownForms } from '../../../page/own-page.ts'
import { sendPage } from '../../../page/page.ts'
import { faultPlanOf } from '../../provider-kit/faults.control.ts'
import type { ApiDeps } from '../requests/call.ts'
import { faults } from '../store/faults.ts'
import { retrySettings } from '../store/settings.queries.ts'
import { billingRoutes } from './billing.routes.ts'
import { type Overview, objectPage, overviewPage } from './control.page.ts'
import { anyObject, deliveriesOf, latest, resend } from './control.queries.ts'

const Id = z.object({ id: z.string().regex(/^[a-z]+_\w{1,64}$/) })

/** The pages that show the card provider's state and inject faults. */
export function controlRoutes(app: FastifyInstance, deps: ApiDeps): void {
  billingRoutes(app, deps)
  const { db, clock } = deps

  app.get('/cards', async (_request, reply) => sendPage(reply, overviewPage(await overview(deps))))

  app.get('/cards/objects/:id', async (request, reply) => {
    const object = await anyObject(db, idIn(request))
    if (!object) throw new Problem('not_found')
    return sendPage(reply, objectPage(object))
  })

  ownForms(app, (forms) => {
    forms.post('/cards/faults', async (request, reply) => {
      await faults.plan(db, faultPlanOf(request.body))
      return reply.redirect('/cards', 303)
    })
    forms.post('/cards/faults/forget', async (_request, reply) => {
      await faults.forget(db)
      return reply.redirect('/cards', 303)
    })
    forms.post('/cards/events/:id/resend', async (request, reply) => {
      if (!(await resend(db, idIn(request), clock()))) throw new Problem('not_found')
      deps.onEvents()
      return reply.redirect('/cards', 303)
    })
  })
}

async function overview({ db }: ApiDeps): Promise<Overview> {
  const [planned, customers, setups, payments, events, endpoints, subscriptions, invoices, retries] = await Promise.all(
    [
      faults.planned(db),
      latest(db, 'customer'),
      latest(db, 'setup_intent'),
      latest(db, 'payment_intent'),
      latest(db, 'event'),
      latest(db, 'webhook_endpoint'),
      latest(db, 'subscription'),
      latest(db, 'invoice'),
      retrySettings(db),
    ],
  )
  const deliveries = await deliveriesOf(
    db,
    events.map(({ object }) => object.id),
  )
  const intents = [...setups, ...payments].sort((one, other) => other.object.created - one.object.created)
  return { faults: planned, customers, intents, events, deliveries, endpoints, subscriptions, invoices, retries }
}

function idIn(request: FastifyRequest): string {
  const read = Id.safeParse(request.params)
  if (!read.success) throw new Problem('not_found')
  return read.data.id
}
