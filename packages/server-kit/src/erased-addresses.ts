import { createHmac } from 'node:crypto'
import { emailForm } from '@atrium/contract/email.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { ConfigError } from './config.ts'
import type { Tx } from './database.ts'

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

/**
 * Until the transaction ends, nobody is erased: what was asked of erased addresses holds. An erasure takes it exclusively, and both take it
 * before any other lock.
 */
export async function holdErasures(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtextextended('erasures', 0))`)
}

/** Waits until no file is being applied, and keeps the next one waiting. */
export async function lockErasures(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('erasures', 0))`)
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
