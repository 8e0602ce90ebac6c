import { type ExitCode, exitCodes } from '@atrium/server-kit/command.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { users } from '../features/accounts/accounts.tables.ts'
import { record } from '../features/activity/activity.writes.ts'

export const roleUsage = 'role EMAIL support|none'

interface WantedRole {
  /** Lower case. */
  email: string
  roles: string[]
}

/** What was typed after `role`; undefined if that is not an address and a role. */
export function readRole([email = '', role, ...more]: readonly string[]): WantedRole | undefined {
  const isKnown = role === 'support' || role === 'none'
  if (!email.includes('@') || !isKnown || more.length > 0) return undefined
  return { email: email.trim().toLowerCase(), roles: role === 'none' ? [] : [role] }
}

/** Sets the roles of an account, which services read when it signs in the next time. */
export async function setRole(db: Db, { email, roles }: WantedRole, print: (line: string) => void): Promise<ExitCode> {
  const isKnown = await db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.email, email)).for('no key update')
    if (!user) return false
    if (user.roles.join() === roles.join()) return true
    await tx.update(users).set({ roles }).where(eq(users.id, user.id))
    const details = { by: 'operator', before: user.roles, after: roles }
    await record(tx, { now: new Date(), action: 'account.roles-changed', userId: user.id, details })
    return true
  })
  print(isKnown ? sentenceOf(email, roles) : `No account has the address ${email}. Nothing was changed.`)
  return isKnown ? exitCodes.done : exitCodes.refused
}

function sentenceOf(email: string, roles: readonly string[]): string {
  return roles.length > 0
    ? `${email} has the role ${roles.join()} from the next sign-in on.`
    : `${email} has no role from the next sign-in on. What it opened as support, or opens within ten minutes, ends within 60 minutes.`
}
