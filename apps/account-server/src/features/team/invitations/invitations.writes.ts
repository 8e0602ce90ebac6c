import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { members } from '../../../db/members.tables.ts'
import type { Deps } from '../../../deps.ts'
import { sendEmail } from '../../mail/mail.writes.ts'
import { hashOf, newToken } from '../../session/session.rules.ts'
import { subscriptions } from '../../subscriptions/subscriptions.tables.ts'
import type { SeatRow, Team } from '../team.queries.ts'
import { invitationEmail } from './invitation-email.ts'
import type { SentInvitation } from './invitations.rules.ts'
import { type InvitationEnd, invitations } from './invitations.tables.ts'

/** Voids the links of a seat. */
export async function endInvitations(tx: Tx, seatId: string, ended: InvitationEnd): Promise<void> {
  await tx
    .update(invitations)
    .set({ ended })
    .where(and(eq(invitations.seatId, seatId), isNull(invitations.ended)))
}

interface Asked {
  subscriptionId: string
  emails: readonly string[]
  now: Date
}

/**
 * What was sent to these addresses in a day, and by the subscription in an hour. Others who invite the same people wait until this
 * transaction ends, so that the limits hold.
 */
export async function lockSentInvitations(tx: Tx, { subscriptionId, emails, now }: Asked): Promise<SentInvitation[]> {
  for (const email of [...emails].sort()) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`invitation:${email}`}, 0))`)
  }
  const since = (seconds: number) => gt(invitations.sentAt, new Date(now.getTime() - seconds * 1000))
  return tx
    .select({
      ...{ email: invitations.email, subscriptionId: invitations.subscriptionId, ownerId: subscriptions.memberId },
      ...{ seatId: invitations.seatId, sentAt: invitations.sentAt },
    })
    .from(invitations)
    .innerJoin(subscriptions, eq(subscriptions.id, invitations.subscriptionId))
    .where(
      or(
        and(inArray(invitations.email, [...emails]), since(86_400)),
        and(eq(invitations.subscriptionId, subscriptionId), since(3600)),
      ),
    )
}

interface Invitation {
  team: Team
  seat: SeatRow
  /** Who invites. */
  member: Member
  /** The language of the email where the person's own is unknown. */
  lang: LocaleCode
}

/** Mails a new link, in the transaction of the invitation; earlier links are void. */
export async function sendInvitation(deps: Deps, tx: Tx, { team, seat, member, lang }: Invitation): Promise<void> {
  await endInvitations(tx, seat.id, 'replaced')
  const token = newToken()
  const { id: seatId, subscriptionId, email } = seat
  await tx.insert(invitations).values({
    ...{ tokenHash: hashOf(token), seatId, subscriptionId, email },
    ...{ invitedBy: member.id, sentAt: deps.wallClock() },
  })
  const { config } = deps
  const written = invitationEmail({
    ...{ lang: (await localeOf(tx, email)) ?? lang, inviter: member, appName: team.appName, seat, token },
    ...{ brandName: config.BRAND_NAME, brandColor: config.BRAND_COLOR, publicUrl: config.PUBLIC_URL },
  })
  await sendEmail(deps, tx, { ...written, to: email })
}

async function localeOf(tx: Tx, email: string): Promise<LocaleCode | undefined> {
  const [known] = await tx
    .select({ locale: members.locale })
    .from(members)
    .where(and(eq(members.email, email), eq(members.emailVerified, true)))
  return known?.locale
}
