import { profileLimits } from '@atrium/contract/profile.ts'
import { plainLine } from '@atrium/contract/text.ts'
import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { sql } from 'drizzle-orm'
import { identities, members } from '../../db/members.tables.ts'
import type { Deps } from '../../deps.ts'
import type { CasSuccess } from '../../outside/cas-xml.ts'
import { record } from '../activity/activity.writes.ts'
import { enqueuePurchases } from './purchases.writes.ts'
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
type Standing = { kind: 'member'; member: Found } | { kind: 'refused'; reason: IdentityRefusal }

/**
 * The member of an identity. A new identity is linked to the member with the same verified address only if that member has
 * none, since a mailbox may have changed hands; where nobody has the address, the identity gets a member of its own. What they bought
 * before then follows.
 */
export async function memberOfPrincipal(
  tx: Tx,
  deps: Pick<Deps, 'jobs' | 'config'>,
  { principal, emailVerified, visitor, now }: Arrival,
): Promise<Standing> {
  const { user: subject } = principal
  const email = emailOf(principal)
  await lockIdentities(tx, [subject], email)

  const known = await memberOfSubject(tx, subject)
  if (known) return { kind: 'member', member: known }
  if (!email || !emailVerified) return { kind: 'refused', reason: { code: 'email_unverified' } }

  const isKnown = (await memberOfVerifiedEmail(tx, email)) !== undefined
  const created = isKnown ? undefined : await newMember(tx, principal, email, now)
  const member = created ?? (await memberOfVerifiedEmail(tx, email))
  if (!member) throw new Error('the member is gone')
  const others = created ? [] : await subjectsOf(tx, member.id)
  if (others.length > 0) return { kind: 'refused', reason: { code: 'email_taken', memberId: member.id } }
  await addIdentity(tx, subject, member.id, now)
  if (!created) await record(tx, { ...visitor, id: member.id }, { action: 'identity.joined', target: subject, now })
  await enqueuePurchases(deps, tx, member.id)
  return { kind: 'member', member }
}

/** The first sign-in of a person who was not imported; undefined: a file has brought them at this moment. */
async function newMember(tx: Tx, { attributes }: CasSuccess, email: string, now: Date): Promise<Found | undefined> {
  const { firstName = '', lastName = '' } = attributes
  const [member] = await tx
    .insert(members)
    .values({
      email,
      emailVerified: true,
      firstName: plainLine(firstName, profileLimits.name),
      lastName: plainLine(lastName, profileLimits.name),
      createdAt: now,
    })
    .onConflictDoNothing({ target: members.email, where: sql`${members.emailVerified}` })
    .returning({ id: members.id, email: members.email })
  return member
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
