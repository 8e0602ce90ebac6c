import type { SubscriptionUser } from '@atrium/contract/team.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { invitationEnd, isLapsed } from '../subscriptions/seats.rules.ts'
import type { SeatRow, Team } from './team.queries.ts'
import { actionsOn, type TeamState, type UserState } from './team.rules.ts'

interface Viewed {
  team: Team
  member: Pick<Member, 'id' | 'email'>
  now: Date
}

/** A user as one who manages the subscription sees them, with what may be done now. */
export function subscriptionUser(seat: SeatRow, { team, member, now }: Viewed): SubscriptionUser {
  const { id, email, type, status, isUse, invitedAt } = seat
  return {
    email,
    type,
    status,
    isUse: isUse ? 1 : 0,
    distributionUuid: id,
    isExpired: isLapsed(seat, now) ? 1 : 0,
    expiresAt: status === 'Pending' ? invitationEnd(invitedAt).toISOString() : '',
    actions: actionsOn(userState(seat, member), teamState(team)),
  }
}

export function userState({ type, status, isUse, memberId, email }: SeatRow, member: Viewed['member']): UserState {
  return { type, status, isUse, isSelf: memberId === null ? email === member.email : memberId === member.id }
}

export function teamState({ ownType, hasAccess, flags }: Team): TeamState {
  return { ownType, hasAccess, hasSetupAdmins: !flags.includes('aiAssistant') }
}
