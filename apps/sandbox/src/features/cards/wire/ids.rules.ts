import { randomInt } from 'node:crypto'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random letters and digits, as in the provider's ids. */
export function randomText(length: number): string {
  return Array.from({ length }, () => base62[randomInt(base62.length)]).join('')
}

/** @param prefix with its underscore: `cus_` */
export function newId(prefix: string): string {
  return prefix + randomText(prefix === 'cus_' || prefix === 'req_' ? 14 : 24)
}

/** The client secret of an intent: `seti_…_secret_…`. */
export function newClientSecret(intentId: string): string {
  return `${intentId}_secret_${randomText(25)}`
}

/** Epoch seconds, the provider's only time format. */
export function epochSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
