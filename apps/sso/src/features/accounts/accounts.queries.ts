import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq } from 'drizzle-orm'
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

/** The same by id. */
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
