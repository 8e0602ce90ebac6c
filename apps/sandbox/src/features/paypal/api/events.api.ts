import { gte, lte } from 'drizzle-orm'
import { z } from 'zod'
import { notificationsPath, wireEvent } from '../events/events.wire.ts'
import { paypalObjects } from '../store/paypal.tables.ts'
import { list } from '../store/store.ts'
import type { Api } from '../wire/api.ts'
import { time } from '../wire/fields.rules.ts'

const path = `${notificationsPath}/webhooks-events`

const Filter = z.object({
  page_size: z.coerce.number().int().min(1).max(300).default(10),
  start_time: time.optional(),
  end_time: time.optional(),
})

/** The events that happened, whether or not a webhook was told. */
export function eventsApi(api: Api): void {
  api.get({
    path,
    query: Filter,
    async run(call, { query: { start_time: from, end_time: to, page_size: pageSize } }) {
      const where = [from && gte(paypalObjects.createdAt, from), to && lte(paypalObjects.createdAt, to)]
      const { objects } = await list(call.tx, { kind: 'event', where, page: 1, pageSize })
      const events = objects.map((event) => wireEvent(call.publicUrl, event))
      return { events, count: events.length, links: [{ href: `${call.publicUrl}${path}`, rel: 'self', method: 'GET' }] }
    },
  })
}
