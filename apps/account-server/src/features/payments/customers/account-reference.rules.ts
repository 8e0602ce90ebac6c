import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/**
 * What a vendor's shop writes to a purchase to say whose it is: `a1.SUBJECT.EXPIRY.SIGNATURE`. SUBJECT is a member's id, or the SHA-256
 * of a confirmed address in lower case, in base64url; EXPIRY is in seconds since 1970; SIGNATURE is the HMAC-SHA-256 of all before it
 * with `SHOP_SIGNING_SECRET`, in base64url. At most 101 characters of printable ASCII: PayPal's `custom_id` takes 127.
 */
const version = 'a1'

const form = /^a1\.([\w-]{36}|[\w-]{43})\.(\d{1,12})\.([\w-]{43})$/

/** Whose a purchase is. */
export type ReferredMember = { memberId: string } | { emailHash: Buffer }

/** An address as a reference has it. @param email lower case */
export function addressSubject(email: string): string {
  return createHash('sha256').update(email).digest('base64url')
}

interface Naming {
  /** Typed by whoever paid; empty: none. */
  email: string
  reference: string
  createdAt: Date
}

/** The subject of each address that says whose a purchase is: what was typed, and what the shop has signed. */
export function addressSubjectsOf(claims: readonly Naming[], { secrets }: { secrets: readonly string[] }): string[] {
  const subjects = claims.flatMap(({ email, reference, createdAt: madeAt }) => {
    const referred = readReference(reference, { secrets, madeAt })
    const signed = referred && 'emailHash' in referred ? [referred.emailHash.toString('base64url')] : []
    return email === '' ? signed : [...signed, addressSubject(email)]
  })
  return [...new Set(subjects)]
}

/** @param subject a member's id, or `addressSubject` */
export function signReference(secret: string, { subject, expiresAt }: { subject: string; expiresAt: Date }): string {
  const signed = `${version}.${subject}.${Math.floor(expiresAt.getTime() / 1000)}`
  return `${signed}.${signatureOf(secret, signed)}`
}

/**
 * Whose a purchase is, by the reference that it carries.
 * @param madeAt when the purchase was made at the provider: a reference cannot be used after its expiry
 * @returns undefined: it is not a reference, not signed by one of the secrets, or had expired
 */
export function readReference(
  text: string,
  { secrets, madeAt }: { secrets: readonly string[]; madeAt: Date },
): ReferredMember | undefined {
  const [, subject = '', expiry = '', signature = ''] = form.exec(text) ?? []
  if (subject === '' || Number(expiry) * 1000 < madeAt.getTime()) return undefined
  const signed = `${version}.${subject}.${expiry}`
  if (!secrets.some((secret) => isSame(signatureOf(secret, signed), signature))) return undefined
  return subject.length === 36 ? { memberId: subject } : { emailHash: Buffer.from(subject, 'base64url') }
}

function signatureOf(secret: string, signed: string): string {
  return createHmac('sha256', secret).update(signed).digest('base64url')
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
