import { randomUUID } from 'node:crypto'
import type { Visitor } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, gt } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { hashOf } from '../../secrets.ts'
import { createAccount } from '../accounts/accounts.writes.ts'
import { record } from '../activity/activity.writes.ts'
import { refuseWeakPassword } from '../password/password.service.ts'
import { networkOf } from '../sign-in/delays.ts'
import { signUpQueue } from './sign-up.jobs.ts'
import { signUps } from './sign-up.tables.ts'

/** Hours for which a confirmation link works. */
const signUpHours = 24

interface SignUp {
  email: string
  firstName: string
  lastName: string
  password: string
  locale: string
  /** Registered, or nothing. */
  service: string | null
  caller: Visitor
}

/**
 * Keeps what was asked for and answers; a job then finds out whether the address already has an account and writes the
 * one letter or the other. So neither the answer nor its time tells who is a customer.
 */
export async function requestSignUp(deps: Deps, { password, caller, ...wanted }: SignUp): Promise<void> {
  const { db, hashing, delays, jobs, clock } = deps
  refuseWeakPassword(password)
  await delays.address.take(networkOf(caller.address))
  await delays.letter.take(wanted.email)

  const passwordHash = await hashing.hash(password)
  const now = clock()
  const id = randomUUID()
  await db.transaction(async (tx) => {
    const expiresAt = new Date(now.getTime() + signUpHours * 3_600_000)
    await tx.insert(signUps).values({ ...wanted, id, passwordHash, expiresAt })
    await record(tx, { now, action: 'account.sign-up-requested', userId: null, caller, details: { signUp: id } })
    await jobs.send(tx, signUpQueue, { id })
  })
}

/** Makes the account that a mailed link stands for. @throws Problem `link_spent` when it was used, or is too old. */
export function confirmSignUp({ db, accounts, clock }: Deps, token: string, caller: Visitor) {
  return db.transaction(async (tx) => {
    const now = clock()
    // Deleting is the lock: of two clicks one finds the row.
    const [asked] = await tx
      .delete(signUps)
      .where(and(eq(signUps.tokenHash, hashOf(token)), gt(signUps.expiresAt, now)))
      .returning()
    if (!asked) throw new Problem('link_spent')

    const userId = await createAccount(tx, accounts, asked)
    if (!userId) throw new Problem('link_spent')
    await tx.delete(signUps).where(eq(signUps.email, asked.email))
    await record(tx, { now, action: 'account.created', userId, caller })
    return { email: asked.email, service: asked.service }
  })
}
