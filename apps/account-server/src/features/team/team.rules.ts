import { type SeatType, seatTypes } from '@atrium/contract/seat-types.ts'
import type { TeamAction } from '@atrium/contract/team.ts'
import { managesTeam } from '../subscriptions/seats.rules.ts'

/** What decides about the users of a subscription, for one who asks. */
export interface TeamState {
  /** Of the caller. */
  ownType: SeatType | null
  /** The subscription can be used now. */
  hasAccess: boolean
  /** False for products that have Members only. */
  hasSetupAdmins: boolean
}

export interface UserState {
  type: SeatType
  status: 'Pending' | 'Accepted'
  isUse: boolean
  /** The caller themselves. */
  isSelf: boolean
}

/**
 * What the caller may do with a user, the likeliest first: who has left is removed more often than anybody's role is changed. The matrix
 * of 001 §4. Nobody acts on themselves but the Owner, on their own license.
 */
export function actionsOn(user: UserState, team: TeamState): TeamAction[] {
  const { ownType, hasAccess } = team
  if (!managesTeam(ownType)) return []
  if (user.isSelf) return ownType === seatTypes.owner ? ownersActions(user, hasAccess) : []
  if (user.type === seatTypes.owner) return []

  const isPending = user.status === 'Pending'
  return [
    ...(isPending && hasAccess ? (['resend'] as const) : []),
    ...(mayRemove(ownType, user.type) ? (['remove'] as const) : []),
    ...(!isPending && hasAccess && team.hasSetupAdmins ? (['change-role'] as const) : []),
  ]
}

function ownersActions({ isUse }: UserState, hasAccess: boolean): TeamAction[] {
  if (isUse) return ['deactivate']
  return hasAccess ? ['activate'] : []
}

function mayRemove(own: SeatType | null, type: SeatType): boolean {
  if (own === seatTypes.owner) return true
  return own === seatTypes.setupAdmin && type !== seatTypes.setupAdmin
}

/** The role that "Change role" gives: a Member becomes a Setup Admin, everybody else a Member (001 §4). */
export function nextRole(type: SeatType): SeatType {
  return type === seatTypes.member ? seatTypes.setupAdmin : seatTypes.member
}
