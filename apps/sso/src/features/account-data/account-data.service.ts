import type { AccountData } from '@atrium/contract/account-data.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { eraseJobs } from '@atrium/server-kit/erase-jobs.ts'
import type { JobSender } from '@atrium/server-kit/job-sender.ts'
import { eq } from 'drizzle-orm'
import { users } from '../accounts/accounts.tables.ts'
import { endSessionsOf } from '../session/end-sessions.writes.ts'
import { type AccountHolder, countRows, eraseRows, personalTables, readRows } from './personal-tables.ts'

class DryRun extends Error {}

interface Erasure {
  /** Lower case. */
  email: string
  dryRun: boolean
  jobs: JobSender
}

/**
 * Deletes the account with an address, and everything else that names the address; activity stays without details. Sessions end, and
 * the services in which the person is signed in are notified. A dry run does the same, and rolls it back.
 * @returns the number of rows by noun; empty if nobody has the address
 */
export async function eraseAccount(
  db: Db,
  { email, dryRun, jobs }: Erasure,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  try {
    await db.transaction(async (tx) => {
      const holder = await lockedHolder(tx, email)
      for (const personal of personalTables) counts[personal.noun] = await countRows(tx, personal, holder)
      if (holder.userId !== null) await endSessionsOf(tx, holder.userId, { jobs, reason: 'erased', now: new Date() })
      for (const personal of personalTables) await eraseRows(tx, personal, holder)
      counts.jobs = await eraseJobs(tx, 'sso_jobs', email)
      if (dryRun) throw new DryRun()
    })
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

/** The lock keeps a session from starting meanwhile. */
async function lockedHolder(tx: Tx, email: string): Promise<AccountHolder> {
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email)).for('update')
  return { userId: user?.id ?? null, email }
}

/** Everything stored about the account with an address, without secrets; undefined if there is nothing. */
export function exportAddress(db: Db, email: string): Promise<AccountData | undefined> {
  return asOfOneMoment(db, async (tx) => {
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
    const data = await readAll(tx, { userId: user?.id ?? null, email })
    return Object.values(data).every((rows) => rows.length === 0) ? undefined : data
  })
}

/** The same of an account; nothing in it if the account is gone. */
export function exportAccount(db: Db, userId: string): Promise<AccountData> {
  return asOfOneMoment(db, async (tx) => {
    const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
    return user ? readAll(tx, { userId, email: user.email }) : {}
  })
}

function asOfOneMoment<Result>(db: Db, read: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' })
}

async function readAll(tx: Tx, holder: AccountHolder): Promise<AccountData> {
  const data: AccountData = {}
  for (const personal of personalTables) data[personal.noun] = await readRows(tx, personal, holder)
  return data
}
