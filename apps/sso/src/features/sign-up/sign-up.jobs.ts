import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { hashOf, newToken } from '../../secrets.ts'
import { credentialOf } from '../accounts/accounts.queries.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import { signUps } from './sign-up.tables.ts'

export const signUpQueue = 'sign-up'

/** Writes the email that a sign-up asks for. */
export async function signUpJobs(deps: Deps): Promise<void> {
  await deps.jobs.work<{ id: string }>(signUpQueue, ({ id }) => answerSignUp(deps, id))
}

function answerSignUp(deps: Deps, id: string): Promise<void> {
  const { db, config } = deps
  return db.transaction(async (tx) => {
    const [asked] = await tx.select().from(signUps).where(eq(signUps.id, id)).for('update')
    // Answered before: the job came twice.
    if (!asked || asked.tokenHash) return

    const reader = { email: asked.email, name: asked.firstName, locale: asked.locale }
    if (await credentialOf(tx, asked.email)) {
      await tx.delete(signUps).where(eq(signUps.id, id))
      // What a stranger typed as a name has no place in an email to a customer.
      const url = `${config.SSO_URL}/forgotten-password`
      return sendEmail(deps, tx, { name: 'accountExists', reader: { ...reader, name: '' }, secrets: { url } })
    }

    const token = newToken()
    await tx
      .update(signUps)
      .set({ tokenHash: hashOf(token) })
      .where(eq(signUps.id, id))
    // The token stands behind `#`: it is sent to no server, and no log or referrer has it.
    const url = `${config.SSO_URL}/confirm-email#token=${token}`
    await sendEmail(deps, tx, { name: 'confirmEmail', reader: { ...reader, name: '' }, secrets: { url } })
  })
}
