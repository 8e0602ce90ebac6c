import { randomInt } from 'node:crypto'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random characters as the provider's ids have them: letters and digits, nothing to escape. */
export function randomText(length: number): string {
  return Array.from({ length }, () => base62[randomInt(base62.length)]).join('')
}

/** @param prefix with its underscore: `cus_` */
export function newId(prefix: string): string {
  return prefix + randomText(prefix === 'cus_' || prefix === 'req_' ? 14 : 24)
}

/** What a browser needs to act on one intent: `seti_…_secret_…`. */
export function newClientSecret(intentId: string): string {
  return `${intentId}_secret_${randomText(25)}`
}

/** Seconds since 1970: the provider's only way to say when. */
export function epochSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
