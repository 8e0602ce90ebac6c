import type { Db } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { type Deliveries, startDeliveries } from '../../provider-kit/deliveries.ts'
import { paypalDeliveries } from '../store/paypal.tables.ts'
import { find } from '../store/store.ts'
import { wireTime } from '../wire/ids.rules.ts'
import { signingCertificate } from './certificates.ts'
import { notificationsPath, wireEvent } from './events.wire.ts'
import { authAlgorithm, mostAttempts, pauseAfter, signatureOf } from './signature.rules.ts'

interface Options {
  db: Db
  publicUrl: string
  logger: FastifyBaseLogger
}

/** Delivers events to webhooks, on the wall clock. */
export function startPaypalDeliveries({ db, publicUrl, logger }: Options): Deliveries {
  return startDeliveries({
    db,
    clock: () => new Date(),
    logger,
    table: 'paypal_deliveries',
    mostAttempts,
    pauseAfter,
    noticeOf: (delivery) => noticeOf(db, delivery, publicUrl),
  })
}

async function noticeOf(db: Db, delivery: number, publicUrl: string) {
  const [row] = await db.select().from(paypalDeliveries).where(eq(paypalDeliveries.id, delivery))
  const event = row && (await find(db, 'event', row.eventId))
  const webhook = row && (await find(db, 'webhook', row.webhookId))
  if (!event || !webhook) return undefined

  const body = JSON.stringify(wireEvent(publicUrl, event))
  const { id: certificateId, privateKey } = await signingCertificate(db)
  const time = wireTime(new Date())
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'PayPal/AUHD-1.0-1',
    'paypal-auth-algo': authAlgorithm,
    'paypal-auth-version': 'v2',
    'paypal-cert-url': `${publicUrl}${notificationsPath}/certs/${certificateId}`,
    'paypal-transmission-id': row.transmissionId,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': signatureOf({ id: row.transmissionId, webhookId: webhook.id, body, time }, privateKey),
  }
  return { url: webhook.url, headers, body }
}
