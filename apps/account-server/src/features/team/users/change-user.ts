import { changeUserRole, type TeamAction } from '@atrium/contract/team.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem, problemWithData } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { seats } from '../../subscriptions/seats.tables.ts'
import { subscriptionUser, teamState, userState } from '../subscription-user.ts'
import { lockSeat, lockSeatsByEmail, type SeatRow, type Team } from '../team.queries.ts'
import { actionsOn } from '../team.rules.ts'
import { lockTeam } from './lock-team.ts'
import { noteSeatChange, type SeatHappening } from './seat-changes.writes.ts'

interface Target {
  sid: string
  orgCode: string
  email: string
  /** Left out: the user with the address. */
  distributionUuid?: string
}

interface Asked {
  member: Member
  target: Target
  action: TeamAction
  /** Whether the row is as the page that asks has it. */
  isAsShown(seat: SeatRow, team: Team): boolean
}

/** A user whose change may be made now, locked with the subscription. */
export interface Changing {
  team: Team
  seat: SeatRow
  member: Member
  now: Date
}

/**
 * Locks the subscription and the user, and decides whether the caller may do this to them now.
 * @throws Problem `not_found`, `not_manager`, `stale` with the user as they are now, `not_allowed`, `subscription_ended`
 */
export async function lockUser(deps: Deps, tx: Tx, { member, target, action, isAsShown }: Asked): Promise<Changing> {
  const { sid, orgCode, email } = target
  const now = deps.clock()
  const team = await lockTeam(deps, tx, { member, sid })
  const seat = await seatOf(tx, target)
  if (!seat) throw new Problem('not_found')
  const isUser = seat.removedAt === null
  if (!isUser || seat.email !== email || orgCode !== team.orgCode || !isAsShown(seat, team)) {
    const user = isUser ? subscriptionUser(seat, { team, member, now }) : null
    throw problemWithData(changeUserRole, 'stale', { user })
  }

  const user = userState(seat, member)
  if (!actionsOn(user, teamState(team)).includes(action)) {
    const isAllowedOtherwise = actionsOn(user, { ...teamState(team), hasAccess: true }).includes(action)
    throw new Problem(isAllowedOtherwise ? 'subscription_ended' : 'not_allowed')
  }
  return { team, seat, member, now }
}

async function seatOf(tx: Tx, { sid, email, distributionUuid }: Target): Promise<SeatRow | undefined> {
  if (distributionUuid) return lockSeat(tx, { id: distributionUuid, subscriptionId: sid })
  const [seat] = await lockSeatsByEmail(tx, sid, [email])
  return seat
}

interface Change {
  happening: SeatHappening
  values: Partial<Pick<SeatRow, 'type' | 'isUse' | 'removedAt' | 'invitedAt'>>
}

/** Writes a change of a locked user, with its activity row and event. */
export async function writeSeat(
  deps: Deps,
  tx: Tx,
  { team, seat, member, now }: Changing,
  { happening, values }: Change,
): Promise<SeatRow> {
  const after = { ...seat, ...values }
  await tx.update(seats).set(values).where(eq(seats.id, seat.id))
  const { type, isUse } = seat
  await noteSeatChange(deps, tx, member, {
    ...{ happening, ownerId: team.ownerId, seat: after, before: { type, isUse } },
    now,
  })
  return after
}
