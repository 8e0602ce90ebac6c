import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { codeLimits, isCodeUsable, newCode, secondsToNextCode } from '@atrium/server-kit/email-codes.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { credentialOfUser, lockUser } from '../accounts/accounts.queries.ts'
import { record, recordRefusal } from '../activity/activity.writes.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import { type CodePurpose, emailCodes } from './popups.tables.ts'

interface Recipient {
  userId: string
  purpose: CodePurpose
  caller: Visitor
}

interface AwaitedCode extends Omit<Recipient, 'caller'> {
  now: Date
}

/** Each purpose has its own email and its own activity. */
const codeOf = {
  'password-reset': { email: 'passwordCode', sent: 'password.code-sent' },
  'account-link': { email: 'linkCode', sent: 'identity.code-sent' },
  'sign-in': { email: 'signInCode', sent: 'session.code-sent' },
} as const

/** Sends a new code, which replaces an older one. @throws Problem `has_password`, `too_often` */
export async function sendCode(deps: Deps, { userId, purpose, caller }: Recipient): Promise<void> {
  const { db, delays, secrets, clock } = deps
  // What comes too soon sends nothing, and must not use up the allowance.
  await refuseTooSoon(db, userId, clock())
  // Every code may be guessed a few times, so their number bounds the guesses of whoever has got hold of a session.
  await delays.mailbox.take(`popup:${userId}`)
  await db.transaction(async (tx) => {
    const now = clock()
    await lockUser(tx, userId)
    const user = await credentialOfUser(tx, userId)
    if (!user) throw new Problem(purpose === 'sign-in' ? 'signed_out' : 'popup_expired')
    if (user.passwordHash) throw new Problem('has_password')

    await refuseTooSoon(tx, userId, now)

    const code = newCode()
    const fresh = {
      purpose,
      hash: secrets.sign('code', textOf({ userId, purpose, code })),
      triesLeft: codeLimits.tries,
      sentAt: now,
      expiresAt: new Date(now.getTime() + codeLimits.lifeMs),
    }
    await tx
      .insert(emailCodes)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({ target: emailCodes.userId, set: fresh })
    await record(tx, { now, action: codeOf[purpose].sent, userId, caller })
    const reader = { email: user.email, name: user.firstName, locale: user.locale }
    await sendEmail(deps, tx, { name: codeOf[purpose].email, reader, secrets: { code } })
  })
}

/** Whether the code that was sent last is for this purpose, and may still be used. */
export async function hasUsableCode(db: Db | Tx, { userId, purpose, now }: AwaitedCode): Promise<boolean> {
  const isForPurpose = and(eq(emailCodes.userId, userId), eq(emailCodes.purpose, purpose))
  const [sent] = await db.select().from(emailCodes).where(isForPurpose)
  return sent !== undefined && isCodeUsable(sent, now)
}

async function refuseTooSoon(db: Db | Tx, userId: string, now: Date): Promise<void> {
  const [last] = await db.select().from(emailCodes).where(eq(emailCodes.userId, userId))
  const retryAfter = secondsToNextCode(last?.sentAt, now)
  if (retryAfter > 0) throw new Problem('too_often', { retryAfter })
}

interface Guess extends Recipient {
  code: string
}

/** What is signed: a code for one purpose is not one for another. */
function textOf({ userId, purpose, code }: Omit<Guess, 'caller'>): string {
  return purpose === 'password-reset' ? `${userId}:${code}` : `${userId}:${purpose}:${code}`
}

/** Checks a code under its row's lock, so that at most five guesses are checked, however many arrive concurrently. */
export async function judgeCode({ db, secrets, clock }: Deps, guess: Guess): Promise<void> {
  const { userId, caller } = guess
  const outcome = await db.transaction(async (tx) => {
    const now = clock()
    const [sent] = await tx.select().from(emailCodes).where(eq(emailCodes.userId, userId)).for('update')
    if (!sent || !isCodeUsable(sent, now)) return 'code_spent'

    if (secrets.isSignedBy('code', textOf(guess), sent.hash)) {
      await tx.delete(emailCodes).where(eq(emailCodes.userId, userId))
      return 'right'
    }
    await tx
      .update(emailCodes)
      .set({ triesLeft: sent.triesLeft - 1 })
      .where(eq(emailCodes.userId, userId))
    await recordRefusal(tx, { userId, kind: 'code', caller, now })
    return 'wrong_code'
  })
  // Thrown only after the transaction that counts the try has committed.
  if (outcome !== 'right') throw new Problem(outcome)
}
