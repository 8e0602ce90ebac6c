import { eq, gte, lte } from 'drizzle-orm'
import { z } from 'zod'
import { deliveriesOf } from '../events/events.queries.ts'
import { eventWithDeliveries, notificationsPath } from '../events/events.wire.ts'
import { allWebhooks } from '../events/webhooks.writes.ts'
import { paypalObjects } from '../store/paypal.tables.ts'
import { list } from '../store/store.ts'
import type { Api } from '../wire/api.ts'
import type { Call } from '../wire/call.ts'
import { text, time } from '../wire/fields.rules.ts'

const path = `${notificationsPath}/webhooks-events`

const Filter = z.object({
  page_size: z.coerce.number().int().min(1).max(300).default(10),
  start_time: time.optional(),
  end_time: time.optional(),
  transaction_id: text(50).optional(),
  event_type: text(100).optional(),
})

/** The events that happened. */
export function eventsApi(api: Api): void {
  api.get({ path, query: Filter, run: (call, { query }) => listEvents(call, query) })
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
