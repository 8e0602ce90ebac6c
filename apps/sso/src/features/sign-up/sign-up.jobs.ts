import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { hashOf, newToken } from '../../secrets.ts'
import { credentialOf } from '../accounts/accounts.queries.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import { signUps } from './sign-up.tables.ts'

export const signUpQueue = 'sign-up'

/** Sends the email of a sign-up. */
export async function signUpJobs(deps: Deps): Promise<void> {
  await deps.jobs.work<{ id: string }>(signUpQueue, ({ id }) => answerSignUp(deps, id))
}

function answerSignUp(deps: Deps, id: string): Promise<void> {
  const { db, config } = deps
  return db.transaction(async (tx) => {
    const [asked] = await tx.select().from(signUps).where(eq(signUps.id, id)).for('update')
    // The job was delivered twice.
    if (!asked || asked.tokenHash) return

    const reader = { email: asked.email, name: asked.firstName, locale: asked.locale }
    if (await credentialOf(tx, asked.email)) {
      await tx.delete(signUps).where(eq(signUps.id, id))
      // A name typed by a stranger must not appear in an email to a customer.
      const url = `${config.SSO_URL}/forgotten-password`
      return sendEmail(deps, tx, { name: 'accountExists', reader: { ...reader, name: '' }, secrets: { url } })
    }

    const token = newToken()
    await tx
      .update(signUps)
      .set({ tokenHash: hashOf(token) })
      .where(eq(signUps.id, id))
    // The token is in the fragment, so it never reaches a server, log or referrer.
    const url = `${config.SSO_URL}/confirm-email#token=${token}`
    await sendEmail(deps, tx, { name: 'confirmEmail', reader: { ...reader, name: '' }, secrets: { url } })
  })
}
