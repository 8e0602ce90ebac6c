import type { Db } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { type Deliveries, startDeliveries } from '../../provider-kit/deliveries.ts'
import { cardDeliveries } from '../store/cards.tables.ts'
import { find } from '../store/store.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { mostAttempts, pauseAfter, signatureOf } from './signature.rules.ts'

interface Options {
  db: Db
  clock: () => Date
  logger: FastifyBaseLogger
}

/** Delivers events to webhook endpoints. */
export function startCardDeliveries({ db, clock, logger }: Options): Deliveries {
  return startDeliveries({
    db,
    clock,
    logger,
    table: 'card_deliveries',
    mostAttempts,
    pauseAfter,
    noticeOf: (delivery) => noticeOf(db, delivery, clock()),
  })
}

async function noticeOf(db: Db, delivery: number, now: Date) {
  const [row] = await db.select().from(cardDeliveries).where(eq(cardDeliveries.id, delivery))
  const event = row && (await find(db, 'event', row.eventId))
  const endpoint = row && (await find(db, 'webhook_endpoint', row.endpointId))
  if (!event || endpoint?.object.status !== 'enabled') return undefined

  const body = JSON.stringify(event.object, null, 2)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Stripe/1.0 (+https://docs.stripe.com/webhooks)',
    'stripe-signature': signatureOf(body, endpoint.hidden.secret, epochSeconds(now)),
  }
  return { url: endpoint.object.url, headers, body }
}
