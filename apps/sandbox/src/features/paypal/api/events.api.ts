import { eq, gte, lte } from 'drizzle-orm'
import { z } from 'zod'
import { deliveriesOf, resendEvent } from '../events/events.queries.ts'
import { eventWithDeliveries, notificationsPath } from '../events/events.wire.ts'
import { rawMember } from '../events/raw-member.rules.ts'
import { authAlgorithm, isSignedBy } from '../events/signature.rules.ts'
import { allWebhooks } from '../events/webhooks.writes.ts'
import { paypalCertificates, paypalObjects } from '../store/paypal.tables.ts'
import { find, list } from '../store/store.ts'
import { type Api, noQuery } from '../wire/api.ts'
import type { Call } from '../wire/call.ts'
import { text, time } from '../wire/fields.rules.ts'
import { notFound } from '../wire/refusal.ts'

const path = `${notificationsPath}/webhooks-events`

const Filter = z.object({
  page_size: z.coerce.number().int().min(1).max(300).default(10),
  start_time: time.optional(),
  end_time: time.optional(),
  transaction_id: text(50).optional(),
  event_type: text(100).optional(),
})

/** The events that happened, and the check of their signatures. */
export function eventsApi(api: Api): void {
  api.get({ path, query: Filter, run: (call, { query }) => listEvents(call, query) })

  api.get({
    path: `${path}/:id`,
    query: noQuery,
    run: (call, { id }) => shownEvent(call, id),
  })

  api.change({
    method: 'POST',
    path: `${path}/:id/resend`,
    body: z.strictObject({ webhook_ids: z.array(text(50)).min(1).max(10).optional() }).optional(),
    async run(call, { id, body }) {
      if (!(await find(call.tx, 'event', id))) throw notFound()
      await resendEvent(call.tx, id, body?.webhook_ids)
      return { status: 202, body: await shownEvent(call, id) }
    },
  })

  api.change({
    method: 'POST',
    path: `${notificationsPath}/verify-webhook-signature`,
    body: Verification,
    async run(call, { body, raw }) {
      const isGenuine = await verify(call, body, rawMember(raw, 'webhook_event') ?? '')
      return { status: 200, body: { verification_status: isGenuine ? 'SUCCESS' : 'FAILURE' } }
    },
  })
}

async function listEvents(call: Call, query: z.output<typeof Filter>) {
  const { start_time: from, end_time: to, event_type: type, transaction_id: subject } = query
  const where = [
    ...(from ? [gte(paypalObjects.createdAt, from)] : []),
    ...(to ? [lte(paypalObjects.createdAt, to)] : []),
    ...(type === undefined ? [] : [eq(paypalObjects.eventType, type)]),
  ]
  const { objects } = await list(call.tx, { kind: 'event', where, page: 1, pageSize: query.page_size })
  const about = objects.filter(({ resource }) => subject === undefined || ('id' in resource && resource.id === subject))
  const events = await withDeliveries(call, about)
  return { events, count: events.length, links: [{ href: `${call.publicUrl}${path}`, rel: 'self', method: 'GET' }] }
}

async function shownEvent(call: Call, id: string): Promise<object> {
  const event = await find(call.tx, 'event', id)
  const [shown] = event ? await withDeliveries(call, [event]) : []
  if (!shown) throw notFound()
  return shown
}

async function withDeliveries(call: Call, events: readonly Parameters<typeof eventWithDeliveries>[1][]) {
  const all = await deliveriesOf(
    call.tx,
    events.map(({ id }) => id),
  )
  const webhooks = await allWebhooks(call)
  return events.map((event) => {
    const deliveries = all.filter(({ eventId }) => eventId === event.id)
    return eventWithDeliveries(call.publicUrl, event, { deliveries, webhooks })
  })
}

const Verification = z.strictObject({
  auth_algo: text(100).regex(/^[a-zA-Z0-9]+$/),
  cert_url: text(500),
  transmission_id: text(50),
  transmission_sig: text(500),
  transmission_time: text(100),
  webhook_id: text(50),
  webhook_event: z.record(z.string(), z.unknown()),
})

/** @param body of the event as the caller sent it: PayPal’s own check fails too once it was formatted anew */
async function verify(call: Call, given: z.output<typeof Verification>, body: string): Promise<boolean> {
  const webhooks = await allWebhooks(call)
  const id = given.cert_url.startsWith(`${call.publicUrl}${notificationsPath}/certs/`)
    ? given.cert_url.slice(given.cert_url.lastIndexOf('/') + 1)
    : ''
  const [found] = await call.tx.select().from(paypalCertificates).where(eq(paypalCertificates.id, id))
  const isKnown = webhooks.some((webhook) => webhook.id === given.webhook_id)
  if (!isKnown || found?.role !== 'leaf' || given.auth_algo !== authAlgorithm) return false
  const transmission = {
    id: given.transmission_id,
    time: given.transmission_time,
    webhookId: given.webhook_id,
    body,
  }
  return isSignedBy(transmission, given.transmission_sig, found.certificate)
}
