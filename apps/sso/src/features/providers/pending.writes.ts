import type { ProviderName } from '@atrium/contract/login-providers.ts'
import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, gt } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { hashOf, newToken } from '../../secrets.ts'
import { createAccount } from '../accounts/accounts.writes.ts'
import { record } from '../activity/activity.writes.ts'
import { pendingIdentities } from '../session/pending-identities.tables.ts'
import { signUps } from '../sign-up/sign-up.tables.ts'
import type { Flow } from './flows.writes.ts'
import { linkIdentity } from './identities.writes.ts'
import type { ProviderIdentity } from './login-provider.ts'

/** Milliseconds in which a new identity is confirmed: a little longer than the code by email works. */
const pendingLife = 900_000

type Named = ProviderIdentity & { provider: ProviderName }

interface Saving {
  identity: Named
  flow: Flow
  browser: string
  now: Date
}

/** Stores an identity that belongs to no account yet. @returns its id, for the page */
export async function savePending(tx: Tx, { identity, flow, browser, now }: Saving): Promise<string> {
  const pendingId = newToken()
  const { service, method, locale } = flow
  await tx.insert(pendingIdentities).values({
    ...identity,
    service,
    method,
    locale,
    hash: hashOf(pendingId),
    browserHash: hashOf(browser),
    expiresAt: new Date(now.getTime() + pendingLife),
  })
  return pendingId
}

export interface PendingKey {
  pendingId: string
  /** The id of the browser, from its cookie. */
  browser: string
}

export type Pending = typeof pendingIdentities.$inferSelect

/** A pending identity, in the browser that it belongs to. @throws Problem `flow_spent` */
export async function findPending(db: Db, key: PendingKey, now: Date): Promise<Pending> {
  const [pending] = await db.select().from(pendingIdentities).where(isPending(key, now))
  if (!pending) throw new Problem('flow_spent')
  return pending
}

/** Locks a pending identity, in the browser that it belongs to. @throws Problem `flow_spent` */
export async function lockPending(tx: Tx, key: PendingKey, now: Date): Promise<Pending> {
  const [pending] = await tx.select().from(pendingIdentities).where(isPending(key, now)).for('update')
  if (!pending) throw new Problem('flow_spent')
  return pending
}

/**
 * Takes a pending identity, once. The caller has locked an account. Another tab that is confirming it with a code may wait for
 * that account, so it is not waited for. @throws Problem `flow_spent`
 */
export async function takePending(tx: Tx, key: PendingKey, now: Date): Promise<Pending> {
  const [pending] = await tx
    .select()
    .from(pendingIdentities)
    .where(isPending(key, now))
    .for('update', { skipLocked: true })
  if (!pending) throw new Problem('flow_spent')
  await tx.delete(pendingIdentities).where(eq(pendingIdentities.hash, pending.hash))
  return pending
}

/** Drops a pending identity, in the browser that it belongs to; elsewhere it stays. @throws Problem `flow_spent` */
export async function dropPending(db: Db, key: PendingKey, now: Date): Promise<void> {
  const dropped = await db
    .delete(pendingIdentities)
    .where(isPending(key, now))
    .returning({ hash: pendingIdentities.hash })
  if (dropped.length === 0) throw new Problem('flow_spent')
}

const isPending = ({ pendingId, browser }: PendingKey, now: Date) =>
  and(
    eq(pendingIdentities.hash, hashOf(pendingId)),
    eq(pendingIdentities.browserHash, hashOf(browser)),
    gt(pendingIdentities.expiresAt, now),
  )

interface Creation {
  identity: Pick<Named, 'provider' | 'authority' | 'subject' | 'email' | 'institution' | 'firstName' | 'lastName'>
  /** Confirmed, by the provider or by a code. In lower case. */
  email: string
  locale: string
  caller: Visitor
}

/** Creates an account that signs in with a provider. @returns its id, or `undefined` if the address already has one */
export async function createAccountOf(deps: Deps, tx: Tx, creation: Creation): Promise<string | undefined> {
  const { identity, email, locale, caller } = creation
  const { firstName, lastName } = identity
  const userId = await createAccount(tx, deps.accounts, { email, firstName, lastName, locale })
  if (!userId) return undefined
  await tx.delete(signUps).where(eq(signUps.email, email))
  const details = { provider: identity.provider }
  await record(tx, { now: deps.clock(), action: 'account.created', userId, caller, details })
  await linkIdentity(deps, tx, { userId, identity, isNew: true, caller })
  return userId
}
