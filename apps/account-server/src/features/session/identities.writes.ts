import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { sql } from 'drizzle-orm'
import { identities } from '../../db/members.tables.ts'
import type { CasSuccess } from '../../outside/cas-xml.ts'
import { record } from '../activity/activity.writes.ts'
import { memberOfSubject, memberOfVerifiedEmail, signOnProvider, subjectsOf } from './session.queries.ts'
import { emailOf, type IdentityRefusal } from './session.rules.ts'

interface Arrival {
  principal: CasSuccess
  emailVerified: boolean
  visitor: Visitor
  now: Date
}

interface Found {
  id: string
  email: string
}

/** The account that an identity opens. */
type Standing =
  /** `isNew`: with this sign-in. */
  | { kind: 'member'; member: Found; isNew: boolean }
  /** None yet: the address is verified, and no member has it. */
  | { kind: 'newcomer'; email: string }
  | { kind: 'refused'; reason: IdentityRefusal }

/**
 * The member of an identity. A new identity is linked to the member with the same verified address only if that member has
 * none, since a mailbox may have changed hands.
 */
export async function memberOfPrincipal(
  tx: Tx,
  { principal, emailVerified, visitor, now }: Arrival,
): Promise<Standing> {
  const { user: subject } = principal
  const email = emailOf(principal)
  await lockIdentities(tx, [subject], email)

  const known = await memberOfSubject(tx, subject)
  if (known) return { kind: 'member', member: known, isNew: false }
  if (!email || !emailVerified) return { kind: 'refused', reason: { code: 'email_unverified' } }

  const member = await memberOfVerifiedEmail(tx, email)
  if (!member) return { kind: 'newcomer', email }
  const others = await subjectsOf(tx, member.id)
  if (others.length > 0) return { kind: 'refused', reason: { code: 'email_taken', memberId: member.id } }

  await addIdentity(tx, subject, member.id, now)
  await record(tx, { ...visitor, id: member.id }, { action: 'identity.joined', target: subject, now })
  return { kind: 'member', member, isNew: true }
}

export async function addIdentity(tx: Tx, subject: string, memberId: string, now: Date): Promise<void> {
  await tx.insert(identities).values({ provider: signOnProvider, subject, memberId, createdAt: now })
}

/**
 * Serializes first sign-ins of one person or with one address, so that the second finds what the first created. Always in the
 * same order: subjects sorted, then the address.
 */
export async function lockIdentities(tx: Tx, subjects: readonly string[], email: string | undefined): Promise<void> {
  const names = [...new Set(subjects)].sort().map((subject) => `subject:${subject}`)
  for (const name of email ? [...names, `email:${email}`] : names) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
  }
}
