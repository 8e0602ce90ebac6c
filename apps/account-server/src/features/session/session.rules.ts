import { hash, randomBytes } from 'node:crypto'
import type { AccountConfig } from '../../config.ts'
import type { CasFailure } from '../../outside/cas-failure.ts'
import type { CasSuccess } from '../../outside/cas-xml.ts'

/** SHA-256, hex: what is stored of tokens and tickets. */
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

/** A nonce that was refused once carries this mark: a second refusal is told to the person, not tried again. */
const retryMark = 'r.'

export function newNonce({ retry }: { retry: boolean }): string {
  return `${retry ? retryMark : ''}${randomBytes(16).toString('base64url')}`
}

export function isNonce(value: string | undefined): value is string {
  return value !== undefined && /^(r\.)?[A-Za-z0-9_-]{22}$/.test(value)
}

export function isRetry(nonce: string): boolean {
  return nonce.startsWith(retryMark)
}

/** Whether the single sign-on vouches for the e-mail address, by the setting CAS_EMAIL_VERIFIED. */
export function isEmailVerified(
  setting: AccountConfig['CAS_EMAIL_VERIFIED'],
  attributes: Readonly<Record<string, string>>,
) {
  if (setting === 'always') return true
  if (setting === 'never') return false
  return attributes[setting.slice('attribute:'.length)]?.toLowerCase() === 'true'
}

/** The e-mail address that the single sign-on tells, where it does. The user's own name is never taken for one. */
export function emailOf({ attributes }: CasSuccess): string | undefined {
  return attributes.email?.toLowerCase()
}

/** Where the single sign-on ends its session too, and then goes on to a path of ours. */
export function signOutUrl(config: Pick<AccountConfig, 'SSO_URL' | 'CAS_PATH' | 'PUBLIC_URL'>, path: string): string {
  const service = encodeURIComponent(`${config.PUBLIC_URL}${path}`)
  return `${config.SSO_URL}${config.CAS_PATH}/logout?service=${service}`
}

/** What a log line says of a ticket that was not redeemed: never the ticket itself. */
export function describeTicketFailure(ticket: string, { failure, detail }: CasFailure) {
  return { failure, detail, ticketHash: hashOf(ticket).slice(0, 16) }
}

/** Why an identity opens no account, although the single sign-on vouches for it. */
export type IdentityRefusal =
  | { code: 'email_unverified' }
  /** The member with this address signs in with another identity. */
  | { code: 'email_taken'; memberId: string }

const refusalSentences: Readonly<Record<IdentityRefusal['code'], string>> = {
  email_unverified: 'identity refused: its e-mail address is missing, or not verified by what CAS_EMAIL_VERIFIED says',
  email_taken: 'identity refused: the member with its e-mail address has another one (npm run members -- link)',
}

/** What a log line tells the operator, whom support will ask. */
export function refusalSentence({ code }: IdentityRefusal): string {
  return refusalSentences[code]
}
