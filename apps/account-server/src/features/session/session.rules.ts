import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { emailFault, emailForm } from '@atrium/contract/email.ts'
import type { AccountConfig } from '../../config.ts'
import type { CasFailure } from '../../outside/cas-failure.ts'
import type { CasSuccess } from '../../outside/cas-xml.ts'

/** SHA-256, hex: the stored form of tokens and tickets. */
export function hashOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** 256 bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

const tokenShape = /^[A-Za-z0-9_-]{43}$/

export function isToken(value: string | undefined): value is string {
  return value !== undefined && tokenShape.test(value)
}

/** Marks the nonce of a retry: after a second refusal the person gets a message instead. */
const retryMark = 'r.'

export function newNonce({ retry }: { retry: boolean }): string {
  return `${retry ? retryMark : ''}${randomBytes(16).toString('base64url')}`
}

export function isNonce(value: string | undefined): value is string {
  return value !== undefined && /^(r\.)?[A-Za-z0-9_-]{22}$/.test(value)
}

/** Whether a returning browser is the one that began the sign-in. */
export function isSameNonce(returned: string | undefined, stored: string | undefined): returned is string {
  if (!isNonce(returned) || !isNonce(stored) || returned.length !== stored.length) return false
  return timingSafeEqual(Buffer.from(returned), Buffer.from(stored))
}

export function isRetry(nonce: string): boolean {
  return nonce.startsWith(retryMark)
}

/** For how long credentials that were entered are good for what is sensitive, in milliseconds. */
const freshMs = 600_000

/** Whether the person entered their credentials in the last ten minutes. */
export function isFresh(freshAt: Date | null, now: Date): boolean {
  return freshAt !== null && now.getTime() - freshAt.getTime() <= freshMs
}

interface Validated {
  /** Whether the ticket was validated with `renew`, so that no session of the single sign-on counts. */
  renew: boolean
  now: Date
}

/** Milliseconds that the clock of the single sign-on may be ahead. */
const clockSkewMs = 120_000

/**
 * When the person entered their credentials, as far as the single sign-on says so (CAS 3.0 §2.5.7); null: it does not. Some
 * servers call the first ticket of an old session a new login, so the date counts too, which others write with a zone behind it.
 * A date without an offset, or one that is ahead, says nothing.
 */
export function credentialsEnteredAt({ attributes }: CasSuccess, { renew, now }: Validated): Date | null {
  if (renew) return now
  if (attributes.isFromNewLogin !== 'true') return null
  const date = (attributes.authenticationDate ?? '').replace(/\[[\w/+-]+\]$/, '')
  const at = /(Z|[+-]\d\d:?\d\d)$/.test(date) ? Date.parse(date) : Number.NaN
  if (Number.isNaN(at) || at > now.getTime() + clockSkewMs) return null
  return new Date(Math.min(at, now.getTime()))
}

/** Whether a server that was asked for new credentials says that there were none. Some accept such a ticket all the same. */
export function isOfOldLogin({ attributes }: CasSuccess): boolean {
  return attributes.isFromNewLogin === 'false'
}

/** Whether the single sign-on has verified the e-mail address, by the setting CAS_EMAIL_VERIFIED. */
export function isEmailVerified(
  setting: AccountConfig['CAS_EMAIL_VERIFIED'],
  attributes: Readonly<Record<string, string>>,
) {
  if (setting === 'always') return true
  if (setting === 'never') return false
  return attributes[setting.slice('attribute:'.length)]?.toLowerCase() === 'true'
}

/** The e-mail address from the single sign-on in its one form, if it sends one; never the user name. */
export function emailOf({ attributes }: CasSuccess): string | undefined {
  const email = emailForm(attributes.email ?? '')
  return emailFault(email) ? undefined : email
}

/** Where the single sign-on ends its session, and then redirects to a path of ours. */
export function signOutUrl(config: Pick<AccountConfig, 'SSO_URL' | 'CAS_PATH' | 'PUBLIC_URL'>, path: string): string {
  const service = encodeURIComponent(`${config.PUBLIC_URL}${path}`)
  return `${config.SSO_URL}${config.CAS_PATH}/logout?service=${service}`
}

/** Log fields for a ticket that was not redeemed, without the ticket. */
export function describeTicketFailure(ticket: string, { failure, detail }: CasFailure) {
  return { failure, detail, ticketHash: hashOf(ticket).slice(0, 16) }
}

/** Why an identity opens no account although the single sign-on accepts it. */
export type IdentityRefusal =
  | { code: 'email_unverified' }
  /** The member with this address has another identity. */
  | { code: 'email_taken'; memberId: string }

const refusalSentences: Readonly<Record<IdentityRefusal['code'], string>> = {
  email_unverified: 'identity refused: its e-mail address is missing, or not verified by what CAS_EMAIL_VERIFIED says',
  email_taken: 'identity refused: the member with its e-mail address has another one (npm run members -- link)',
}

/** The log sentence for the operator. */
export function refusalSentence({ code }: IdentityRefusal): string {
  return refusalSentences[code]
}
