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

/** Lifetime of a confirmation link in hours. */
const signUpHours = 24

interface SignUp {
  email: string
  firstName: string
  lastName: string
  password: string
  locale: string
  /** A registered service, if any. */
  service: string | null
  /** Id of this browser, if the account knows it. */
  device: string | undefined
  caller: Visitor
}

/**
 * Stores the sign-up and replies. A job then checks whether the address has an account, and sends one email or the other,
 * so that neither the reply nor its timing reveals who is a customer.
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
  /** The password chosen at the sign-up. */
  password: string
  caller: Visitor
}

/**
 * Creates the account of an emailed link. Anyone can sign up with somebody else's address, so the link alone is not
 * enough: the password chosen at the sign-up is required too.
 * @throws Problem `wrong_chosen_password`; `link_spent` if the link was used, has expired or was tried too often
 */
export async function confirmSignUp(deps: Deps, { token, password, caller }: Confirmation) {
  const { db, accounts, delays, hashing, refusals, clock } = deps
  await delays.address.take(networkOf(caller.address))
  const now = clock()
  const tried = await takeTry(db, token, now)
  if (!tried) throw new Problem('link_spent')
  if (!(await hashing.verify(tried.passwordHash, password))) {
    refusals.note({ email: tried.email, kind: 'password', caller })
    throw new Problem('wrong_chosen_password')
  }

  return db.transaction(async (tx) => {
    // The delete is the lock: only one of two concurrent requests finds the row.
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

/** Counts a try before it is checked, so that concurrent tries get no more. @returns what to compare with */
async function takeTry(db: Db, token: string, now: Date) {
  const [asked] = await db
    .update(signUps)
    .set({ triesLeft: sql`${signUps.triesLeft} - 1` })
    .where(and(eq(signUps.tokenHash, hashOf(token)), gt(signUps.expiresAt, now), gt(signUps.triesLeft, 0)))
    .returning({ passwordHash: signUps.passwordHash, email: signUps.email })
  return asked
}
