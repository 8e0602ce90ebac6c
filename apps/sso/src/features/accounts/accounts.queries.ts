import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, gte, isNotNull } from 'drizzle-orm'
import { accounts, users } from './accounts.tables.ts'

/** The account of an address, with its password hash if there is one. `email` is in lower case. */
export async function credentialOf(db: Db | Tx, email: string) {
  const [found] = await db
    .select({ userId: users.id, passwordHash: accounts.password })
    .from(users)
    .leftJoin(accounts, and(eq(accounts.userId, users.id), eq(accounts.providerId, 'credential')))
    .where(eq(users.email, email))
  return found
}

/** The password hash of whoever comes next in the order of ids; undefined: nobody does. @param from any text */
export async function someHash(db: Db, from: string): Promise<string | undefined> {
  const isPassword = and(eq(accounts.providerId, 'credential'), isNotNull(accounts.password))
  const [found] = await db
    .select({ passwordHash: accounts.password })
    .from(accounts)
    .where(and(gte(accounts.id, from), isPassword))
    .orderBy(asc(accounts.id))
    .limit(1)
  return found?.passwordHash ?? undefined
}

/** The account with an id, with its password hash if there is one. */
export async function credentialOfUser(db: Db | Tx, userId: string) {
  const [found] = await db
    .select({
      userId: users.id,
      email: users.email,
      firstName: users.firstName,
      locale: users.locale,
      passwordHash: accounts.password,
    })
    .from(users)
    .leftJoin(accounts, and(eq(accounts.userId, users.id), eq(accounts.providerId, 'credential')))
    .where(eq(users.id, userId))
  return found
}

/** Locks the account's row, which guards its password and the start of its sessions. */
export async function lockUser(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  return rows.length > 0
}
