import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { newToken } from '../../secrets.ts'
import { users, verifications } from '../accounts/accounts.tables.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import { resetIdentifier } from './password.rules.ts'
import { answeredResets } from './password.tables.ts'

export const resetQueue = 'password-reset'

/** Lifetime of a reset link in milliseconds. */
const linkLife = 3_600_000

/** Handles requests for a reset link. */
export async function passwordJobs(deps: Deps): Promise<void> {
  await deps.jobs.work<Omit<Reset, 'jobId'>>(resetQueue, (asked, jobId) => answerReset(deps, { ...asked, jobId }))
}

interface Reset {
  email: string
  /** A registered service that the person came from, if any; the job of an earlier version has none. */
  service?: string | null
  locale: string
  jobId: string
}

/** Sends the email with the link, once per job, if the address has an account. */
export function answerReset(deps: Deps, { email, service, locale, jobId }: Reset): Promise<void> {
  const { db, accounts, config, clock } = deps
  return db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.email, email)).for('update')
    if (!user) return

    const first = await tx
      .insert(answeredResets)
      .values({ jobId, answeredAt: clock() })
      .onConflictDoNothing()
      .returning()
    if (first.length === 0) return

    // A newer link replaces an older one.
    await tx.delete(verifications).where(eq(verifications.value, user.id))
    const token = newToken()
    await accounts.within(tx).createVerificationValue({
      identifier: resetIdentifier(token),
      value: user.id,
      expiresAt: new Date(clock().getTime() + linkLife),
    })
    const query = service ? `?${new URLSearchParams({ service })}` : ''
    await sendEmail(deps, tx, {
      name: 'resetPassword',
      reader: { email, name: user.firstName, locale },
      secrets: { url: `${config.SSO_URL}/choose-password${query}#token=${token}` },
    })
  })
}
