import { emailForm } from '@atrium/contract/email.ts'
import { type ExitCode, exitCodes } from '@atrium/server-kit/command.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { sessions, users } from '../features/accounts/accounts.tables.ts'
import { record } from '../features/activity/activity.writes.ts'

export const roleUsage = 'role EMAIL support|none'

interface WantedRole {
  /** In its one form. */
  email: string
  roles: string[]
}

/** What was typed after `role`; undefined if that is not an address and a role. */
export function readRole([email = '', role, ...more]: readonly string[]): WantedRole | undefined {
  const isKnown = role === 'support' || role === 'none'
  if (!email.includes('@') || !isKnown || more.length > 0) return undefined
  return { email: emailForm(email), roles: role === 'none' ? [] : [role] }
}

type Outcome = 'unknown' | 'unconfirmed' | 'unchanged' | 'changed'

/**
 * Sets the roles of an account, which services read when it signs in. Whoever loses one is signed out everywhere. An address that
 * nobody has confirmed names nobody: anyone may have typed it where the account comes from.
 */
export async function setRole(db: Db, { email, roles }: WantedRole, print: (line: string) => void): Promise<ExitCode> {
  const outcome = await db.transaction(async (tx): Promise<Outcome> => {
    const [user] = await tx.select().from(users).where(eq(users.email, email)).for('no key update')
    if (!user) return 'unknown'
    if (user.roles.join() === roles.join()) return 'unchanged'
    if (roles.length > 0 && !user.emailVerified) return 'unconfirmed'
    const now = new Date()
    await tx.update(users).set({ roles }).where(eq(users.id, user.id))
    const details = { by: 'operator', before: user.roles, after: roles }
    await record(tx, { now, action: 'account.roles-changed', userId: user.id, details })
    if (roles.length === 0) await expireSessions(tx, user.id, now)
    return 'changed'
  })
  print(sentenceOf(outcome, email, roles))
  return outcome === 'unknown' || outcome === 'unconfirmed' ? exitCodes.refused : exitCodes.done
}

/** The sweep of each minute ends expired sessions, and notifies the services: this command does not have the queue. */
async function expireSessions(tx: Tx, userId: string, now: Date): Promise<void> {
  // A request that took its time before, and is still under way, extends no session that was used after it began.
  await tx.update(sessions).set({ expiresAt: now, updatedAt: now }).where(eq(sessions.userId, userId))
}

function sentenceOf(outcome: Outcome, email: string, roles: readonly string[]): string {
  if (outcome === 'unknown') return `No account has the address ${email}. Nothing was changed.`
  if (outcome === 'unconfirmed')
    return `${email} is not confirmed yet: its owner signs in and confirms it first. Nothing was changed.`
  if (roles.length > 0) return `${email} has the role ${roles.join()} from the next sign-in on.`
  return outcome === 'unchanged'
    ? `${email} has no role.`
    : `${email} no longer has a role. Its sessions end within two minutes, and with them what it opened as support.`
}
