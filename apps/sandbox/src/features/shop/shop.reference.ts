import { createHash, createHmac } from 'node:crypto'

/** How long a purchase may take. */
const lifetimeMs = 3_600_000

/**
 * The account reference that a vendor's shop writes to a purchase (docs/billing.md): this shop takes every address as confirmed.
 * @param secret undefined: the vendor has none, and an address says whose a purchase is
 */
export function accountReference(secret: string | undefined, email: string, now: Date): string | undefined {
  if (!secret) return undefined
  const subject = createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')
  const signed = `a1.${subject}.${Math.floor((now.getTime() + lifetimeMs) / 1000)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
