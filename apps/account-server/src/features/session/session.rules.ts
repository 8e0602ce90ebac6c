import { createHash, randomBytes } from 'node:crypto'
import type { AccountConfig } from '../../config.ts'
import type { CasSuccess } from '../../outside/cas-xml.ts'

/** SHA-256, hex: what is stored of tokens and tickets. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
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

/** The address for which the single sign-on answers: a CAS server that sends no attribute has it as the user's name. */
export function emailOf({ user, attributes }: CasSuccess): string {
  return (attributes.email ?? user).toLowerCase()
}
