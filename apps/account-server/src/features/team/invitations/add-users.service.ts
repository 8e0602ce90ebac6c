import { emailFault } from '@atrium/contract/email.ts'
import type { EndpointInput, EndpointReply } from '@atrium/contract/endpoint.ts'
import { type SeatType, seatTypes } from '@atrium/contract/seat-types.ts'
import { addSubscriptionUsers, type InvitationResult } from '@atrium/contract/team.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem, problemWithData, refusedField } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import { answerOfKey, claimKey, storeAnswer } from '../../../db/idempotency-keys.writes.ts'
import type { Deps } from '../../../deps.ts'
import { hasTeam, isLapsed } from '../../subscriptions/seats.rules.ts'
import { seats } from '../../subscriptions/seats.tables.ts'
import { teamState } from '../subscription-user.ts'
import { lockSeatsByEmail, pendingSetupAdmins, type SeatRow, type Team } from '../team.queries.ts'
import { lockTeam } from '../users/lock-team.ts'
import { noteSeatChange } from '../users/seat-changes.writes.ts'
import { maxPendingSetupAdmins, type SentInvitation, secondsToWait } from './invitations.rules.ts'
import { lockSentInvitations, sendInvitation } from './invitations.writes.ts'

type Input = EndpointInput<typeof addSubscriptionUsers>
type Results = EndpointReply<typeof addSubscriptionUsers>['results']

interface Request extends Input {
  idempotencyKey: IdempotencyKey | undefined
}

/**
 * Invites the people who can be invited, and says of each address what became of it. The subscription's lock makes one of two
 * requests the first to take the last seat.
 */
export function addUsers(
  deps: Deps,
  member: Member,
  { params: { sid }, body, idempotencyKey }: Request,
): Promise<{ results: Results }> {
  if (body.type !== (body.setupType === 'setup-admin')) throw refusedField('type', 'invalid')
  const type = body.type ? seatTypes.setupAdmin : seatTypes.member
  const emails = [...new Set(body.emailList.filter((email) => email !== ''))]
  if (emails.length === 0) throw refusedField('emailList', 'email_required')

  return deps.db.transaction(async (tx) => {
    const { isNew } = await claimKey(tx, member, { idempotencyKey, now: deps.wallClock() })
    const team = await lockTeam(deps, tx, { member, sid })
    // What it did may have been undone since: it is reported, and not done again.
    if (!isNew) return addSubscriptionUsers.reply.parse(await answerOfKey(tx, member, idempotencyKey))
    if (body.orgCode !== team.orgCode) throw problemWithData(addSubscriptionUsers, 'stale', { user: null })
    refuseImpossible(team, type)
    const inviting = await prepareInvitations(deps, tx, { team, member, type, lang: body.lang, emails })
    const results: Results = []
    for (const email of emails) results.push({ email, result: await inviting(email) })
    await storeAnswer(tx, member, { idempotencyKey, answer: { results } })
    return { results }
  })
}

function refuseImpossible(team: Team, type: SeatType): void {
  if (!hasTeam(team)) throw new Problem('not_allowed')
  if (!team.hasAccess) throw new Problem('subscription_ended')
  if (type === seatTypes.setupAdmin && !teamState(team).hasSetupAdmins) throw new Problem('no_setup_admins')
}

interface Inviting {
  team: Team
  member: Member
  type: SeatType
  lang: Input['body']['lang']
  emails: readonly string[]
}

/** Reads what decides about all addresses. @returns what invites one of them */
async function prepareInvitations(deps: Deps, tx: Tx, { team, member, type, lang, emails }: Inviting) {
  const { subscriptionId, ownerId } = team
  const valid = emails.filter((email) => !emailFault(email))
  const now = deps.clock()
  const sentAt = deps.wallClock()
  const sent: SentInvitation[] = await lockSentInvitations(tx, { subscriptionId, emails: valid, now: sentAt })
  const known = new Map((await lockSeatsByEmail(tx, subscriptionId, valid)).map((seat) => [seat.email, seat]))
  let free = team.userCount - team.joinCount
  let setupAdmins = type === seatTypes.setupAdmin ? await pendingSetupAdmins(tx, subscriptionId, now) : 0

  return async (email: string): Promise<InvitationResult> => {
    const before = known.get(email)
    const refusal = refusalOf(email, before)
    if (refusal) return refusal
    const seat = await storeInvited(tx, { before, subscriptionId, email, type, now })
    if (type === seatTypes.setupAdmin) setupAdmins += 1
    else free -= 1
    sent.push({ email, subscriptionId, ownerId, seatId: seat.id, sentAt })
    await noteSeatChange(deps, tx, member, { happening: 'invited', ownerId, seat, now })
    await sendInvitation(deps, tx, { team, seat, member, lang })
    return 'invited'
  }

  function refusalOf(email: string, before: SeatRow | undefined): InvitationResult | undefined {
    if (emailFault(email)) return 'invalid'
    if (email === member.email) return 'own_address'
    if (before && !isLapsed(before, now)) return 'already_member'
    if (type === seatTypes.member && free <= 0) return 'no_seat'
    if (setupAdmins >= maxPendingSetupAdmins) return 'too_many_setup_admins'
    const wanted = { email, subscriptionId, ownerId, seatId: before?.id, perHour: deps.config.INVITATIONS_PER_HOUR }
    return secondsToWait(sent, { ...wanted, now: sentAt }) > 0 ? 'too_often' : undefined
  }
}

interface Invited {
  /** A lapsed invitation of the same person. */
  before: SeatRow | undefined
  subscriptionId: string
  email: string
  type: SeatType
  now: Date
}

async function storeInvited(tx: Tx, { before, subscriptionId, email, type, now }: Invited): Promise<SeatRow> {
  const values = { subscriptionId, email, type, status: 'Pending' as const, isUse: false, invitedAt: now }
  const [stored] = before
    ? await tx.update(seats).set(values).where(eq(seats.id, before.id)).returning()
    : await tx.insert(seats).values(values).returning()
  if (!stored) throw new Error('the seat was not stored')
  return stored
}
