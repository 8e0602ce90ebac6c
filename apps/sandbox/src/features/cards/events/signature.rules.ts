import { createHmac } from 'node:crypto'

/** The `Stripe-Signature` of a delivery. @param now epoch seconds */
export function signatureOf(payload: string, secret: string, now: number): string {
  return `t=${now},v1=${createHmac('sha256', secret).update(`${now}.${payload}`).digest('hex')}`
}

const hour = 3600

/** Attempts per delivery, over about three days. */
export const mostAttempts = 16

/** Seconds until a delivery is retried: 5, 10, 20 … up to eight hours. */
export function pauseAfter(attempts: number): number {
  return Math.min(5 * 2 ** (attempts - 1), 8 * hour)
}
