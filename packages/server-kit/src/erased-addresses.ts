import { createHmac } from 'node:crypto'
import { emailForm } from '@atrium/contract/email.ts'
import { z } from 'zod'
import { ConfigError } from './config.ts'

/** The setting `ERASURE_SECRET`. */
export const ErasureSecret = z.string().min(32, 'must have at least 32 characters').optional()

const needed =
  'ERASURE_SECRET is needed: addresses were erased, and imports must recognize them. Set the one with which npm run members -- erase ran.'
const wrong =
  'ERASURE_SECRET is not the one under which erased addresses are stored: they would be imported again. Set the earlier one.'

/**
 * The secret under which addresses are stored; undefined if none was erased yet.
 * @param secretIds of the stored addresses
 * @param secret `ERASURE_SECRET`
 * @throws ConfigError if some were erased, and the secret is missing or another one
 */
export function secretOf(secretIds: readonly string[], secret: string | undefined): string | undefined {
  if (secretIds.length === 0) return undefined
  if (secret === undefined) throw new ConfigError([needed])
  if (secretIds.some((id) => id !== secretIdOf(secret))) throw new ConfigError([wrong])
  return secret
}

/** By which an erased address is recognized: without the secret nobody can find out which addresses were erased by trying them. */
export function addressHash(secret: string, email: string): string {
  return keyedHash(secret, `address:${emailForm(email)}`)
}

/** Names a secret without revealing it: a hash under another secret would match nothing, and nobody would notice. */
export function secretIdOf(secret: string): string {
  return keyedHash(secret, 'secret').slice(0, 16)
}

function keyedHash(secret: string, value: string): string {
  return createHmac('sha256', secret).update(value).digest('hex')
}
