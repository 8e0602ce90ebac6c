import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { Accounts } from './accounts.auth.ts'
import { accounts, users } from './accounts.tables.ts'

/** Emails use the language of the last sign-in. */
export async function setUserLocale(tx: Tx, userId: string, locale: string): Promise<void> {
  await tx
    .update(users)
    .set({ locale })
    .where(and(eq(users.id, userId), ne(users.locale, locale)))
}

interface NewAccount {
  /** Lower case. */
  email: string
  /** False for an account of another system that did not confirm it; by default it has just been confirmed. */
  emailVerified?: boolean
  firstName: string
  lastName: string
  locale: string
  /** Absent for an account that signs in with a provider. */
  passwordHash?: string
}

/** Creates an account. @returns its id, or `undefined` if the address already has one */
export async function createAccount(
  tx: Tx,
  operationsOf: Accounts,
  { email, emailVerified = true, firstName, lastName, locale, passwordHash }: NewAccount,
): Promise<string | undefined> {
  // Two concurrent confirmations must not both find the address free.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${email}, 0))`)
  const operations = operationsOf.within(tx)
  if (await operations.findUserByEmail(email)) return undefined

  const user = await operations.createUser(
    { email, firstName, lastName, locale, name: `${firstName} ${lastName}`.trim(), emailVerified },
    { method: 'email-password' },
  )
  if (passwordHash !== undefined) await linkPassword(operations, user.id, passwordHash)
  return user.id
}

/**
 * Marks the address as the person's, who has just received an email there. If that was not known before, every way to sign in goes: whoever
 * typed somebody's address in the system before knows its password, and may have linked a provider. The caller adds the new one.
 * @returns whether it was not known before
 */
export async function confirmEmail(tx: Tx, userId: string): Promise<boolean> {
  const confirmed = await tx
    .update(users)
    .set({ emailVerified: true })
    .where(and(eq(users.id, userId), eq(users.emailVerified, false)))
    .returning({ id: users.id })
  if (confirmed.length === 0) return false
  await tx.delete(accounts).where(eq(accounts.userId, userId))
  return true
}

/** Unlinks every login provider. The caller has locked the account. */
export function unlinkAll(tx: Tx, userId: string): Promise<{ provider: string; authority: string }[]> {
  const isLinked = and(eq(accounts.userId, userId), ne(accounts.providerId, 'credential'))
  const { providerId: provider, authority } = accounts
  return tx.delete(accounts).where(isLinked).returning({ provider, authority })
}

/** Sets or replaces the password of an account. */
export async function setPassword(tx: Tx, operationsOf: Accounts, userId: string, passwordHash: string): Promise<void> {
  const operations = operationsOf.within(tx)
  if (await operations.findCredentialAccount(userId)) return operations.updatePassword(userId, passwordHash)
  await linkPassword(operations, userId, passwordHash)
}

function linkPassword(operations: ReturnType<Accounts['within']>, userId: string, passwordHash: string) {
  return operations.linkAccount({ userId, accountId: userId, providerId: 'credential', password: passwordHash })
}
