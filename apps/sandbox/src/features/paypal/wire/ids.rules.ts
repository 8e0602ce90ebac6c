import { createHash, randomBytes, randomInt } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHJKLMNPRSTUVWXY'

/** Letters of an account id: without 0, 1, I and O. */
const accountLetters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Random capitals and digits, as in PayPal's ids. */
function randomCode(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Ids by kind, each as long as PayPal's. */
export const newId = {
  product: () => `PROD-${randomCode(17)}`,
  plan: () => `P-${randomCode(24)}`,
  subscription: () => `I-${randomCode(12)}`,
  /** Of orders, payments, refunds and webhooks. */
  transaction: () => randomCode(17),
  event: () => `WH-${randomCode(17)}-${randomCode(17)}`,
  approval: () => `BA-${randomCode(17)}`,
  certificate: () => `CERT-${randomBytes(16).toString('hex').slice(0, 26)}`,
}

export function newDebugId(): string {
  return randomBytes(7).toString('hex').slice(0, 13)
}

/** The account id of a buyer, always the same for the same address. */
export function payerIdOf(email: string): string {
  const digest = createHash('sha256').update(email.toLowerCase()).digest()
  return Array.from(digest.subarray(0, 13), (byte) => accountLetters[byte % accountLetters.length]).join('')
}

/** The id of a guest, who has no account. */
export function newPayerId(): string {
  return payerIdOf(randomBytes(16).toString('hex'))
}

/** PayPal's times have no fractions of a second. */
export function wireTime(time: Date | string): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z')
}
