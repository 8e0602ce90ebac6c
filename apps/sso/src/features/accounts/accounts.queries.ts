import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq } from 'drizzle-orm'
import { accounts, users } from './accounts.tables.ts'

/** Who has this address, with the hash of the password if there is one. `email` is in lower case. */
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

/** The account's row is the lock of everything that touches its password or starts its sessions. */
export async function lockUser(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  return rows.length > 0
}
