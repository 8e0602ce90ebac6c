import { randomUUID } from 'node:crypto'
import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared } from '@atrium/server-kit/database.ts'
import { asc } from 'drizzle-orm'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import type { Deps } from '../../deps.ts'
import { signingKeys } from './session.tables.ts'

const algorithm = 'EdDSA'

interface Purpose {
  /** What the receiver may use it for, and nothing else. */
  purpose:
    | 'password-reset'
    | 'account-link'
    | 'linked-accounts'
    | 'sessions'
    | 'end-sessions'
    | 'activity'
    | 'account-data'
    | 'redact-portal'
    | 'storage'
    | 'cloud-ticket'
  /** The receiver. */
  audience: string
  /** What else the receiver needs to know. */
  claims?: Readonly<Record<string, string>>
}

/**
 * A token with which another program of the vendor knows the member, or their session: valid for 60 seconds, for one purpose and one receiver,
 * who verifies it with the keys of `/.well-known/jwks.json` (docs/sign-on.md).
 */
export async function signedToken(
  deps: Pick<Deps, 'db' | 'wallClock' | 'config'>,
  { subject }: Pick<Member, 'subject'>,
  { purpose, audience, claims = {} }: Purpose,
): Promise<string> {
  const { id, privateKey } = await signingKey(deps)
  const issuedAt = Math.trunc(Date.now() / 1000)
  return new SignJWT({ ...claims, purpose })
    .setProtectedHeader({ alg: algorithm, kid: id })
    .setIssuer(deps.config.PUBLIC_URL)
    .setAudience(audience)
    .setSubject(subject)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 60)
    .sign(await importedKey(id, privateKey))
}

/** By id, the thumbprint: importing a key takes longer than signing with it. */
const importedKeys = new Map<string, ReturnType<typeof importJWK>>()

function importedKey(id: string, privateKey: JWK): ReturnType<typeof importJWK> {
  const known = importedKeys.get(id) ?? importJWK(privateKey, algorithm)
  importedKeys.set(id, known)
  return known
}

/** The content of `/.well-known/jwks.json`: public keys only. */
export async function publicKeys(deps: Deps) {
  const { id, privateKey } = await signingKey(deps)
  const { kty, crv, x } = privateKey
  return { keys: [{ kty, crv, x, kid: id, alg: algorithm, use: 'sig' }] }
}

interface SigningKey {
  id: string
  privateKey: JWK
}

/** The oldest key, shared by all copies of the server; created on demand. */
async function signingKey({ db, wallClock }: Pick<Deps, 'db' | 'wallClock'>): Promise<SigningKey> {
  const known = await oldestKey()
  if (known) return known

  const { privateKey } = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(privateKey)
  await db.transaction(async (tx) => {
    // Copies that start together agree on one: locks the table and reads it again.
    await tx.execute('lock table account.signing_keys in exclusive mode')
    if ((await tx.$count(signingKeys)) > 0) return
    await tx
      .insert(signingKeys)
      .values({ id: await calculateJwkThumbprint(jwk), privateKey: jwk, createdAt: wallClock() })
  })
  const made = await oldestKey()
  if (!made) throw new Error('the signing key was not stored')
  return made

  async function oldestKey(): Promise<SigningKey | undefined> {
    const [row] = await firstKey(db).execute()
    return row && { id: row.id, privateKey: row.privateKey }
  }
}

const firstKey = prepared('signing_key', (db, name) =>
  db.select().from(signingKeys).orderBy(asc(signingKeys.createdAt), asc(signingKeys.id)).limit(1).prepare(name),
)
