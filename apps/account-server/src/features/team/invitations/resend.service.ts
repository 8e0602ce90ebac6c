import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { resendInvitation, SubscriptionUser } from '@atrium/contract/team.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { isLapsed } from '../../subscriptions/seats.rules.ts'
import { subscriptionUser } from '../subscription-user.ts'
import { pendingSetupAdmins } from '../team.queries.ts'
import { type Changing, lockUser, writeSeat } from '../users/change-user.ts'
import { needSeat } from '../users/lock-team.ts'
import { maxPendingSetupAdmins, secondsToResend, secondsToWait } from './invitations.rules.ts'
import { lockSentInvitations, sendInvitation } from './invitations.writes.ts'

/**
 * Sends an invitation again, for seven days from now; its earlier links are void. A lapsed one takes a place again.
 * @throws Problem `invitation_just_sent`, `too_often`, besides what `lockUser` throws
 */
export function resend(
  deps: Deps,
  member: Member,
  { params: { sid }, body }: EndpointInput<typeof resendInvitation>,
): Promise<SubscriptionUser> {
  return deps.db.transaction(async (tx) => {
    const changing = await lockUser(deps, tx, {
      ...{ member, action: 'resend', target: { sid, ...body } },
      isAsShown: (seat) =>
        seat.status === 'Pending' && (seat.type === seatTypes.setupAdmin) === (body.setupAdmin === 1),
    })
    const { team, seat, now } = changing
    const sentAt = deps.wallClock()
    const asked = { subscriptionId: sid, ownerId: team.ownerId, email: seat.email, seatId: seat.id, now: sentAt }
    const sent = await lockSentInvitations(tx, { subscriptionId: sid, emails: [seat.email], now: sentAt })
    const retryAfter = secondsToWait(sent, { ...asked, perHour: deps.config.INVITATIONS_PER_HOUR })
    const isJustSent = retryAfter === secondsToResend(sent, asked)
    if (retryAfter > 0) throw new Problem(isJustSent ? 'invitation_just_sent' : 'too_often', { retryAfter })
    if (isLapsed(seat, now)) await needPlace(tx, { team, seat, now })

    const after = await writeSeat(deps, tx, changing, { happening: 'invitation_resent', values: { invitedAt: now } })
    await sendInvitation(deps, tx, { team, seat: after, member, lang: body.lang })
    return subscriptionUser(after, changing)
  })
}

/** @throws Problem `no_seat`, or `too_many_setup_admins`, who hold no seat */
async function needPlace(tx: Tx, { team, seat, now }: Pick<Changing, 'team' | 'seat' | 'now'>): Promise<void> {
  if (seat.type !== seatTypes.setupAdmin) return needSeat(team)
  const pending = await pendingSetupAdmins(tx, team.subscriptionId, now)
  if (pending >= maxPendingSetupAdmins) throw new Problem('too_many_setup_admins')
}
