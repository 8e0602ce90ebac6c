import type { Reader } from '@atrium/server-kit/database.ts'
import { and, count, inArray, isNotNull, like, or } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Api } from '../requests/api.ts'
import { cardDeliveries, cardObjects } from '../store/cards.tables.ts'
import { byCreated } from '../store/filters.ts'
import { find, listed } from '../store/store.ts'
import { list, paging, text } from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'

export function eventsApi(api: Api): void {
  api.serve({
    method: 'GET',
    path: '/events/:id',
    takes: {},
    async run({ tx }, _given, { id }) {
      const found = await find(tx, 'event', id)
      if (!found) throw noSuch('event', id, { status: 404 })
      const [event] = await withPending(tx, [found.object])
      return event ?? found.object
    },
  })

  api.serve({
    method: 'GET',
    path: '/events',
    takes: {
      ...paging,
      created: byCreated,
      type: text().optional(),
      types: list(text()).optional(),
    },
    async run({ tx }, { created, type, types, ...page }) {
      if (type !== undefined && types !== undefined) {
        throw invalidRequest('You may only specify one of these parameters: type, types.')
      }
      const wanted = types ?? (type === undefined ? undefined : [type])
      const events = await listed(tx, {
        kind: 'event',
        noun: 'event',
        url: '/v1/events',
        page,
        where: [created, wanted && or(...wanted.map((one) => like(cardObjects.eventType, patternOf(one))))],
      })
      return { ...events, data: await withPending(tx, events.data) }
    },
  })
}

/** `charge.*` matches every type below it. */
function patternOf(type: string): string {
  return type.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '%')
}

/** How many endpoints have not received it yet, the only field of an event that changes. */
async function withPending(tx: Reader, events: readonly Stripe.EventBase[]): Promise<Stripe.EventBase[]> {
  const ids = events.map(({ id }) => id)
  const rows = ids.length
    ? await tx
        .select({ id: cardDeliveries.eventId, waiting: count() })
        .from(cardDeliveries)
        .where(and(inArray(cardDeliveries.eventId, ids), isNotNull(cardDeliveries.nextAt)))
        .groupBy(cardDeliveries.eventId)
    : []
  const waiting = new Map(rows.map((row) => [row.id, row.waiting]))
  return events.map((event) => ({ ...event, pending_webhooks: waiting.get(event.id) ?? 0 }))
}
