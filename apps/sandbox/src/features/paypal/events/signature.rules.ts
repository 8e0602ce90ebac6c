import { createSign } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The only algorithm that PayPal uses. */
export const authAlgorithm = 'SHA256withRSA'

/** What a delivery's signature covers. */
interface Transmission {
  id: string
  /** As in the header. */
  time: string
  webhookId: string
  /** The body as it is sent. */
  body: string
}

/** PayPal signs `id|time|webhook id|checksum`, with the body's CRC-32 in decimal digits. */
function signedText({ id, time, webhookId, body }: Transmission): string {
  return `${id}|${time}|${webhookId}|${crc32(body)}`
}

/** @param privateKey PEM @returns base64 */
export function signatureOf(transmission: Transmission, privateKey: string): string {
  return createSign('sha256').update(signedText(transmission)).sign(privateKey, 'base64')
}

const hour = 3600

/** Attempts per delivery, over about three days. */
export const mostAttempts = 25

/** Seconds until a delivery is retried: 5, 10, 20 … up to five and a half hours. */
export function pauseAfter(attempts: number): number {
  return Math.min(5 * 2 ** (attempts - 1), 5.5 * hour)
}
