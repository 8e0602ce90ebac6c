import { english, type LocaleCode } from '@atrium/contract/locale.ts'
import { type SeatType, seatTypes } from '@atrium/contract/seat-types.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { JobSender } from '@atrium/server-kit/job-sender.ts'
import { and, eq, isNull, ne } from 'drizzle-orm'
import { members } from '../../../db/members.tables.ts'
import type { Deps } from '../../../deps.ts'
import { sendEmail, sendEmailsOnce } from '../../mail/mail.writes.ts'
import { seats } from '../../subscriptions/seats.tables.ts'
import type { SeatRow } from '../team.queries.ts'
import { acceptedEmail, endedSeatEmail, type Person, removedEmail, roleChangedEmail } from './team-emails.ts'

type Needs = Pick<Deps, 'config' | 'jobs'>

/** A user of a subscription with whom somebody else does something. */
interface Affected {
  appName: string
  /** Who does it. */
  actor: Person
  /** As it was before. */
  seat: SeatRow
  /** The language of the email where the person's own is unknown. */
  lang: LocaleCode
}

/** Emails a person that their role was changed, in the transaction of the change. */
export async function emailRoleChange(deps: Needs, tx: Tx, affected: Affected, type: SeatType): Promise<void> {
  const { to, ...frame } = await frameOf(deps, tx, affected)
  await sendEmail(deps, tx, { ...roleChangedEmail({ ...affected, ...frame }, type), to })
}

/** Emails a person that they were removed, in the transaction of the change. */
export async function emailRemoval(deps: Needs, tx: Tx, affected: Affected): Promise<void> {
  const { to, ...frame } = await frameOf(deps, tx, affected)
  await sendEmail(deps, tx, { ...removedEmail({ ...affected, ...frame }), to })
}

/** Emails a person once that their seat has ended with an Owner who never was one. */
export async function emailEndedSeat(
  deps: Pick<Deps, 'config'> & { jobs: Pick<JobSender, 'sendEach'> },
  tx: Tx,
  { appName, seat }: Pick<Affected, 'appName' | 'seat'>,
): Promise<void> {
  const { to, ...frame } = await frameOf(deps, tx, { seat, lang: english.code })
  const message = { ...endedSeatEmail({ appName, seat, ...frame }), to }
  await sendEmailsOnce(deps, tx, [{ id: seat.id, message }])
}

interface Acceptance {
  appName: string
  /** As it is now. */
  seat: SeatRow
  /** The member who invited, or who owns the team now. */
  inviterId: string
}

/** Emails who invited, or who owns the team now, that the invited person has accepted. */
export async function emailAcceptance(deps: Needs, tx: Tx, { appName, seat, inviterId }: Acceptance): Promise<void> {
  const ofInviter = and(eq(seats.subscriptionId, seat.subscriptionId), eq(seats.memberId, inviterId))
  const [receiver] = await tx
    .select({ ...personColumns, locale: members.locale })
    .from(members)
    .innerJoin(seats, eq(seats.memberId, members.id))
    .where(and(ofInviter, isNull(seats.removedAt), ne(seats.type, seatTypes.member)))
  if (!receiver) return
  const { locale: lang, email: to } = receiver
  await sendEmail(deps, tx, { ...acceptedEmail({ ...brandOf(deps), appName, seat, receiver, lang }), to })
}

const personColumns = { firstName: members.firstName, lastName: members.lastName, email: members.email }

/** The person as a member; one whose account is not known here gets it at the invited address. */
async function frameOf(deps: Pick<Deps, 'config'>, tx: Tx, { seat, lang }: Pick<Affected, 'seat' | 'lang'>) {
  const isPerson = seat.memberId
    ? eq(members.id, seat.memberId)
    : and(eq(members.email, seat.email), eq(members.emailVerified, true))
  const [known] = await tx
    .select({ ...personColumns, locale: members.locale })
    .from(members)
    .where(isPerson)
  const receiver = known ?? { firstName: '', lastName: '', email: seat.email }
  return { ...brandOf(deps), receiver, lang: known?.locale ?? lang, to: receiver.email }
}

function brandOf({ config }: Pick<Deps, 'config'>) {
  return { brandName: config.BRAND_NAME, brandColor: config.BRAND_COLOR, publicUrl: config.PUBLIC_URL }
}
