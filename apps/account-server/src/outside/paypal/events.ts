import { createVerify, type X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isWholeText } from '@atrium/server-kit/text.ts'
import { z } from 'zod'
import type { AccountConfig } from '../../config.ts'
import { type NotAnEvent, notAnEvent, notJson, type ProviderEvent } from '../provider-event.ts'
import { signingCertificates } from './certificates.ts'

/** Of a delivery's signature (PayPal's guide to webhooks): `id|time|webhook id|CRC-32 of the body`. */
const Headers = z.object({
  'paypal-auth-algo': z.literal('SHA256withRSA'),
  'paypal-cert-url': z.string().max(500),
  'paypal-transmission-id': z.string().min(1).max(64),
  'paypal-transmission-sig': z.string().min(1).max(1024),
  'paypal-transmission-time': z.iso.datetime({ offset: true }),
})

const Text = z.string().max(255).refine(isWholeText)

const Event = z.object({
  id: Text.min(1),
  event_type: Text.min(1),
  resource_type: Text.default(''),
  resource: z.object({ id: Text.default(''), sale_id: Text.optional() }),
})

/** PayPal retries a delivery for three days. */
const longestAgeMs = 4 * 24 * 3_600_000
const longestAheadMs = 300_000

interface Delivery {
  body: Buffer
  headers: object
  network: string
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Verifies and parses events of PayPal: by the certificate that the delivery names, if it is at PayPal's own host and leads to a
 * trusted root.
 */
export function paypalEvents(config: Pick<AccountConfig, 'PAYPAL_API_URL' | 'PAYPAL_WEBHOOK_ID' | 'PAYPAL_ROOTS'>) {
  const certificates = signingCertificates(config)

  /**
   * @param delivery the body as it came, since the checksum is over its bytes, and the network that it came from
   * @returns undefined for an event that is not PayPal's, or not for this webhook; a reason if it is signed, and is not an event
   * @throws ProviderFailure while the certificate cannot be fetched: the delivery is to be repeated
   */
  return async ({ body, headers, network }: Delivery, now: Date): Promise<ProviderEvent | NotAnEvent | undefined> => {
    const given = Headers.safeParse(headers)
    if (!given.success) return undefined
    const { 'paypal-cert-url': url, 'paypal-transmission-time': time, ...rest } = given.data
    const age = now.getTime() - new Date(time).getTime()
    if (age > longestAgeMs || age < -longestAheadMs) return undefined

    const certificate = await certificates.at(url, { network, now })
    const signed = `${rest['paypal-transmission-id']}|${time}|${config.PAYPAL_WEBHOOK_ID}|${crc32(body)}`
    if (!certificate || !isSigned(signed, rest['paypal-transmission-sig'], certificate)) return undefined
    certificates.prove(network)
    const text = parsed(body)
    return text === undefined ? notJson : eventFrom(text)
  }
}

function isSigned(text: string, signature: string, { publicKey }: X509Certificate): boolean {
  return createVerify('sha256').update(text).verify(publicKey, signature, 'base64')
}

/** A reversal is an event about what was paid. */
export function eventFrom(given: unknown): ProviderEvent | NotAnEvent {
  const event = Event.safeParse(given)
  if (!event.success) return notAnEvent(event.error)
  const { id, event_type: type, resource_type: objectType, resource } = event.data
  const { sale_id: saleId } = resource
  if (type === 'PAYMENT.SALE.REFUNDED') return { id, type, objectType: 'refund', objectId: resource.id }
  // Also of one that PayPal takes back.
  if (type.startsWith('PAYMENT.CAPTURE.') && objectType === 'refund')
    return { id, type, objectType: 'capture_refund', objectId: resource.id }
  if (saleId !== undefined) return { id, type, objectType: 'sale', objectId: saleId }
  return { id, type, objectType, objectId: resource.id }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    return undefined
  }
}
