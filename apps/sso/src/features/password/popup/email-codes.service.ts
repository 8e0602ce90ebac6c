import type { Visitor } from '@atrium/server-kit/caller.ts'
import { codeLimits, isCodeUsable, newCode, secondsToNextCode } from '@atrium/server-kit/email-codes.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { credentialOfUser, lockUser } from '../../accounts/accounts.queries.ts'
import { record } from '../../activity/activity.writes.ts'
import { sendEmail } from '../../mail/mail.writes.ts'
import { emailCodes } from './popup.tables.ts'

/** Sends a new code, which replaces an older one. @throws Problem `has_password`, `too_often` */
export function sendCode(deps: Deps, userId: string, caller: Visitor): Promise<void> {
  const { db, secrets, clock } = deps
  return db.transaction(async (tx) => {
    const now = clock()
    await lockUser(tx, userId)
    const user = await credentialOfUser(tx, userId)
    if (!user) throw new Problem('popup_expired')
    if (user.passwordHash) throw new Problem('has_password')

    const [last] = await tx.select().from(emailCodes).where(eq(emailCodes.userId, userId))
    const retryAfter = secondsToNextCode(last?.sentAt, now)
    if (retryAfter > 0) throw new Problem('too_often', { retryAfter })

    const code = newCode()
    const fresh = {
      hash: secrets.sign('code', `${userId}:${code}`),
      triesLeft: codeLimits.tries,
      sentAt: now,
      expiresAt: new Date(now.getTime() + codeLimits.lifeMs),
    }
    await tx
      .insert(emailCodes)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({ target: emailCodes.userId, set: fresh })
    await record(tx, { now, action: 'password.code-sent', userId, caller })
    const reader = { email: user.email, name: user.firstName, locale: user.locale }
    await sendEmail(deps, tx, { name: 'passwordCode', reader, secrets: { code } })
  })
}

interface Guess {
  userId: string
  code: string
  caller: Visitor
}

/** Checks a code under its row's lock, so that at most five guesses are checked, however many arrive concurrently. */
export async function judgeCode({ db, secrets, clock }: Deps, { userId, code, caller }: Guess): Promise<void> {
  const outcome = await db.transaction(async (tx) => {
    const now = clock()
    const [sent] = await tx.select().from(emailCodes).where(eq(emailCodes.userId, userId)).for('update')
    if (!sent || !isCodeUsable(sent, now)) return 'code_spent'

    if (secrets.isSignedBy('code', `${userId}:${code}`, sent.hash)) {
      await tx.delete(emailCodes).where(eq(emailCodes.userId, userId))
      return 'right'
    }
    await tx
      .update(emailCodes)
      .set({ triesLeft: sent.triesLeft - 1 })
      .where(eq(emailCodes.userId, userId))
    await record(tx, { now, action: 'password.code-refused', userId, caller })
    return 'wrong_code'
  })
  // Thrown only after the transaction that counts the try has committed.
  if (outcome !== 'right') throw new Problem(outcome)
}
