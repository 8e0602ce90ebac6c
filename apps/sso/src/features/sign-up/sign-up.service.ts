import { randomUUID } from 'node:crypto'
import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { networkOf } from '@atrium/server-kit/network.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { hashOf } from '../../secrets.ts'
import { createAccount } from '../accounts/accounts.writes.ts'
import { record } from '../activity/activity.writes.ts'
import { takeEmail } from '../delays/delays.writes.ts'
import { refuseWeakPassword } from '../password/password.rules.ts'
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
  /** Id of this browser, when it is known to the account. */
  device: string | undefined
  caller: Visitor
}

/**
 * Keeps what was asked for and answers; a job then finds out whether the address already has an account and writes the
 * one email or the other. So neither the answer nor its time tells who is a customer.
 */
export async function requestSignUp(deps: Deps, { password, device, caller, ...wanted }: SignUp): Promise<void> {
  const { db, hashing, delays, jobs, clock } = deps
  refuseWeakPassword(password)
  await takeEmail(delays, { email: wanted.email, device, caller })

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

interface Confirmation {
  token: string
  /** The one that was chosen at the sign-up. */
  password: string
  caller: Visitor
}

/**
 * Makes the account that a mailed link stands for. Anybody can ask for an account with somebody else's address: the
 * link alone must not open it to the one who asked.
 * @throws Problem `wrong_chosen_password`; `link_spent` when it was used, is too old or was tried too often
 */
export async function confirmSignUp(deps: Deps, { token, password, caller }: Confirmation) {
  const { db, accounts, delays, hashing, clock } = deps
  await delays.address.take(networkOf(caller.address))
  const now = clock()
  const passwordHash = await takeTry(db, token, now)
  if (!passwordHash) throw new Problem('link_spent')
  if (!(await hashing.verify(passwordHash, password))) throw new Problem('wrong_chosen_password')

  return db.transaction(async (tx) => {
    // Deleting is the lock: of two clicks one finds the row.
    const [asked] = await tx
      .delete(signUps)
      .where(eq(signUps.tokenHash, hashOf(token)))
      .returning()
    if (!asked) throw new Problem('link_spent')

    const userId = await createAccount(tx, accounts, asked)
    if (!userId) throw new Problem('link_spent')
    await tx.delete(signUps).where(eq(signUps.email, asked.email))
    await record(tx, { now, action: 'account.created', userId, caller })
    return { email: asked.email, service: asked.service }
  })
}

/** Counts a try before it is checked, so that no number of them at once gets more. @returns what to compare with */
async function takeTry(db: Db, token: string, now: Date): Promise<string | undefined> {
  const [asked] = await db
    .update(signUps)
    .set({ triesLeft: sql`${signUps.triesLeft} - 1` })
    .where(and(eq(signUps.tokenHash, hashOf(token)), gt(signUps.expiresAt, now), gt(signUps.triesLeft, 0)))
    .returning({ passwordHash: signUps.passwordHash })
  return asked?.passwordHash
}
