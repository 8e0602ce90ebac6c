import { acceptInvitation, type Invitation, type InvitationState } from '@atrium/contract/invitations.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem, problemWithData } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import { lockCaller } from '../../../db/members.queries.ts'
import { memberName } from '../../../db/members.rules.ts'
import type { members } from '../../../db/members.tables.ts'
import type { Deps } from '../../../deps.ts'
import { hashOf } from '../../session/session.rules.ts'
import { invitationEnd, isLapsed } from '../../subscriptions/seats.rules.ts'
import { seats } from '../../subscriptions/seats.tables.ts'
import { accessNow } from '../../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../../subscriptions/subscriptions.tables.ts'
import { emailAcceptance } from '../emails/team-emails.writes.ts'
import { noteSeatChange } from '../users/seat-changes.writes.ts'
import { type FoundInvitation, hasOtherSeat, invitationOfToken } from './invitations.queries.ts'
import { invitations } from './invitations.tables.ts'
import { endInvitations } from './invitations.writes.ts'

/** What a link is for, for whoever has it. Nothing is changed. */
export async function readInvitation(deps: Pick<Deps, 'db' | 'clock' | 'config'>, token: string): Promise<Invitation> {
  const access = accessNow(deps)
  const found = await invitationOfToken(deps.db, hashOf(token), access)
  if (!found) return unknown
  const { seat, appName } = found
  const state = stateOf(found, access.now)
  // Whoever has a link that is void learns nobody's name by it.
  const inviter = state === 'open' ? found.inviter : { firstName: '', lastName: '', email: '' }
  return {
    state,
    appName,
    email: seat.email,
    inviterName: memberName('en-us', inviter),
    inviterEmail: inviter.email,
    type: seat.type,
    expiresAt: invitationEnd(seat.invitedAt).toISOString(),
  }
}

const unknown: Invitation = {
  ...{ state: 'unknown', appName: '', email: '', inviterName: '', inviterEmail: '', expiresAt: '' },
  type: seatTypes.member,
}

function stateOf({ seat, ended, hasAccess }: FoundInvitation, now: Date): InvitationState {
  if (seat.removedAt !== null) return 'withdrawn'
  if (seat.status === 'Accepted') return 'accepted'
  if (isLapsed(seat, now)) return 'lapsed'
  if (ended !== null) return 'replaced'
  return hasAccess ? 'open' : 'ended'
}

/**
 * The person takes the seat that is held for them. Accepted again by the same person, nothing happens.
 * @throws Problem `invitation_void` with what has become of it, `other_address`, `already_member`, `no_seat`
 */
export function accept(deps: Deps, member: Member, token: string): Promise<{ sid: string; appName: string }> {
  const tokenHash = hashOf(token)
  return deps.db.transaction(async (tx) => {
    const caller = await lockCaller(tx, member)
    const access = accessNow(deps)
    await lockSubscriptionOfToken(tx, tokenHash)
    const found = await invitationOfToken(tx, tokenHash, access)
    if (!found) throw invitationVoid('unknown')
    const { seat, appName, ownerId, receiverId: inviterId } = found
    const answer = { sid: seat.subscriptionId, appName }
    const state = stateOf(found, access.now)
    if (state === 'accepted' && seat.memberId === member.id) return answer
    // Whose it is comes before what has become of it.
    refuseOthers(caller, seat.email)
    if (state !== 'open') throw invitationVoid(state)
    if (ownerId === member.id || (await hasOtherSeat(tx, seat, member.id))) throw new Problem('already_member')
    const isUse = seat.type !== seatTypes.setupAdmin
    // It holds a seat already, unless fewer are paid by now.
    if (isUse && found.joinCount > found.userCount) throw new Problem('no_seat')

    const values = { status: 'Accepted' as const, memberId: member.id, isUse }
    await tx.update(seats).set(values).where(eq(seats.id, seat.id))
    await endInvitations(tx, seat.id, 'accepted')
    const { type, status } = seat
    const change = { happening: 'joined', ownerId, seat: { ...seat, ...values }, before: { type, status } } as const
    await noteSeatChange(deps, tx, member, { ...change, now: access.now })
    await emailAcceptance(deps, tx, { appName, seat: change.seat, inviterId })
    return answer
  })
}

async function lockSubscriptionOfToken(tx: Tx, tokenHash: string): Promise<void> {
  const ofToken = tx
    .select({ id: invitations.subscriptionId })
    .from(invitations)
    .where(eq(invitations.tokenHash, tokenHash))
  await tx.select({ id: subscriptions.id }).from(subscriptions).where(eq(subscriptions.id, ofToken)).for('update')
}

/** The account has exactly this address, and it is known to be the person's own. */
function refuseOthers({ email, emailVerified }: typeof members.$inferSelect, invited: string): void {
  if (email !== invited || !emailVerified) throw new Problem('other_address')
}

function invitationVoid(state: InvitationState): Problem {
  return problemWithData(acceptInvitation, 'invitation_void', { state })
}
