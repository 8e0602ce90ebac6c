import { createHmac } from 'node:crypto'
import type { Secret } from '../store/stored.ts'

/**
 * The `Stripe-Signature` of a delivery: the time, and one `v1` for each valid secret.
 * @param now epoch seconds
 */
export function signatureOf(payload: string, secrets: readonly Secret[], now: number): string {
  const signatures = secrets
    .filter(({ until }) => until === null || until > now)
    .map(({ value }) => createHmac('sha256', value).update(`${now}.${payload}`).digest('hex'))
  return [`t=${now}`, ...signatures.map((signature) => `v1=${signature}`)].join(',')
}

const hour = 3600

/** Attempts per delivery, over about three days. */
export const mostAttempts = 16

/** Seconds until a delivery is retried: 5, 10, 20 … up to eight hours. */
export function pauseAfter(attempts: number): number {
  return Math.min(5 * 2 ** (attempts - 1), 8 * hour)
}
