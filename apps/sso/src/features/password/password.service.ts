import type { ProviderName } from '@atrium/contract/login-providers.ts'
import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { networkOf } from '@atrium/server-kit/network.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, gt } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { credentialOfUser, lockUser } from '../accounts/accounts.queries.ts'
import { verifications } from '../accounts/accounts.tables.ts'
import { confirmEmail, setPassword, unlinkAll } from '../accounts/accounts.writes.ts'
import { linkedProviders } from '../accounts/linked-accounts.queries.ts'
import { record } from '../activity/activity.writes.ts'
import { takeEmail } from '../delays/delays.writes.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import { emailCodes, popupSessions } from '../popups/popups.tables.ts'
import { endSessionsOf } from '../session/end-sessions.writes.ts'
import { pendingIdentities } from '../session/pending-identities.tables.ts'
import { resetQueue } from './password.jobs.ts'
import { refuseWeakPassword, resetIdentifier } from './password.rules.ts'

interface ResetRequest {
  email: string
  /** A registered service, if any. */
  service: string | null
  locale: string
  /** Id of this browser, if the account knows it. */
  device: string | undefined
  caller: Visitor
}

/** Requests a reset link. A job decides whether to send it, so that the reply is the same for every address. */
export async function requestReset(
  deps: Deps,
  { email, service, locale, device, caller }: ResetRequest,
): Promise<void> {
  const { db, delays, jobs, clock } = deps
  await takeEmail(delays, { email, device, caller })
  await db.transaction(async (tx) => {
    await record(tx, { now: clock(), action: 'password.reset-requested', userId: null, caller })
    await jobs.send(tx, resetQueue, { email, service, locale })
  })
}

/**
 * Checks an emailed link without using it up: whoever opens a spent one need not choose a password first.
 * @returns the login providers that a new password will unlink @throws Problem `link_spent`
 */
export async function checkLink({ db, clock }: Pick<Deps, 'db' | 'clock'>, token: string): Promise<ProviderName[]> {
  const isLive = and(eq(verifications.identifier, resetIdentifier(token)), gt(verifications.expiresAt, clock()))
  const [live] = await db.select({ userId: verifications.value }).from(verifications).where(isLive)
  if (!live) throw new Problem('link_spent')
  return linkedProviders(db, live.userId)
}

/**
 * Sets a new password with an emailed link, and unlinks every login provider: whoever had the password or the mailbox before may have linked
 * one of theirs. @returns the account's address @throws Problem `link_spent`
 */
export async function resetPassword(
  deps: Deps,
  { token, password, caller }: { token: string; password: string; caller: Visitor },
): Promise<{ email: string }> {
  const { db, accounts, delays, hashing, clock } = deps
  refuseWeakPassword(password)
  await delays.address.take(networkOf(caller.address))
  const passwordHash = await hashing.hash(password)

  return db.transaction(async (tx) => {
    const identifier = resetIdentifier(token)
    // The account is always locked before its link, to avoid deadlocks.
    const [asked] = await tx.select().from(verifications).where(eq(verifications.identifier, identifier))
    if (!asked || !(await lockUser(tx, asked.value))) throw new Problem('link_spent')
    const verification = await accounts.within(tx).consumeVerificationValue(identifier)
    if (!verification) throw new Problem('link_spent')
    const userId = verification.value
    const unlinked = await linkedProviders(tx, userId)
    for (const details of await unlinkAll(tx, userId)) {
      await record(tx, { now: clock(), action: 'identity.unlinked', userId, caller, details })
    }
    await confirmEmail(tx, userId)
    return replacePassword(deps, tx, { userId, passwordHash, unlinked, caller })
  })
}

interface Replacement {
  userId: string
  passwordHash: string
  /** The login providers that were unlinked with it, for the email. */
  unlinked?: readonly ProviderName[]
  caller: Visitor
}

/** Sets a new password, ends every session and every other way to set one, and enqueues the email, in one transaction. */
export async function replacePassword(
  deps: Deps,
  tx: Tx,
  { userId, passwordHash, unlinked = [], caller }: Replacement,
): Promise<{ email: string }> {
  const { accounts, jobs, config, clock } = deps
  const now = clock()
  await lockUser(tx, userId)
  const user = await credentialOfUser(tx, userId)
  if (!user) throw new Problem('link_spent')

  await setPassword(tx, accounts, userId, passwordHash)
  // Links, codes and popups requested earlier must no longer work.
  await tx.delete(verifications).where(eq(verifications.value, userId))
  await tx.delete(popupSessions).where(eq(popupSessions.userId, userId))
  await tx.delete(emailCodes).where(eq(emailCodes.userId, userId))
  await tx.update(pendingIdentities).set({ codeHash: null }).where(eq(pendingIdentities.codeEmail, user.email))
  await endSessionsOf(tx, userId, { jobs, reason: 'password-changed', caller, now })
  await record(tx, { now, action: 'password.changed', userId, caller })
  await sendEmail(deps, tx, {
    name: 'passwordChanged',
    reader: { email: user.email, name: user.firstName, locale: user.locale },
    ways: unlinked,
    secrets: { url: `${config.SSO_URL}/forgotten-password` },
  })
  return { email: user.email }
}
