import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type {
  changeUserRole,
  removeSubscriptionUser,
  SubscriptionUser,
  switchUserLicense,
} from '@atrium/contract/team.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { emailRemoval, emailRoleChange } from '../emails/team-emails.writes.ts'
import { endInvitations } from '../invitations/invitations.writes.ts'
import { subscriptionUser } from '../subscription-user.ts'
import type { SeatRow } from '../team.queries.ts'
import { nextRole } from '../team.rules.ts'
import { lockUser, writeSeat } from './change-user.ts'
import { needSeat } from './lock-team.ts'

/** A Member becomes a Setup Admin, who holds no license; a Setup Admin becomes a Member, who needs one. */
export function changeRole(
  deps: Deps,
  member: Member,
  { params: { sid }, body }: EndpointInput<typeof changeUserRole>,
): Promise<SubscriptionUser> {
  return deps.db.transaction(async (tx) => {
    const changing = await lockUser(deps, tx, {
      ...{ member, action: 'change-role', target: { sid, ...body } },
      isAsShown: (seat) => seat.type !== body.type && isAsSetupAdmin(seat, body),
    })
    const { seat, team } = changing
    const type = nextRole(seat.type)
    if (type !== body.type) throw new Problem('not_allowed')
    // An Admin keeps the license they hold, or none.
    const isUse = seat.type === seatTypes.admin ? seat.isUse : type === seatTypes.member
    if (isUse && !seat.isUse) needSeat(team)
    const after = await writeSeat(deps, tx, changing, { happening: 'role_changed', values: { type, isUse } })
    await emailRoleChange(deps, tx, { appName: team.appName, actor: member, seat, lang: body.lang }, type)
    return subscriptionUser(after, changing)
  })
}

/** The Owner's own license. */
export function switchLicense(
  deps: Deps,
  member: Member,
  { params: { sid }, body }: EndpointInput<typeof switchUserLicense>,
): Promise<SubscriptionUser> {
  const isUse = body.type === 1
  return deps.db.transaction(async (tx) => {
    const changing = await lockUser(deps, tx, {
      ...{ member, action: isUse ? 'activate' : 'deactivate', target: { sid, ...body } },
      // Of somebody else it is not allowed, whatever the page shows.
      isAsShown: (seat, team) => body.appCode === team.appCode && (seat.memberId !== member.id || seat.isUse !== isUse),
    })
    if (isUse) needSeat(changing.team)
    const happening = isUse ? 'license_activated' : 'license_deactivated'
    return subscriptionUser(await writeSeat(deps, tx, changing, { happening, values: { isUse } }), changing)
  })
}

/** Frees the seat. The person's devices are inactive by that; an invitation's link is void. */
export function removeUser(
  deps: Deps,
  member: Member,
  { params: { sid }, body }: EndpointInput<typeof removeSubscriptionUser>,
): Promise<{ email: string }> {
  return deps.db.transaction(async (tx) => {
    const changing = await lockUser(deps, tx, {
      ...{ member, action: 'remove', target: { sid, ...body } },
      isAsShown: (seat) => (seat.status === 'Pending') === (body.type === 1) && isAsSetupAdmin(seat, body),
    })
    const { seat, team, now } = changing
    const isPending = seat.status === 'Pending'
    const happening = isPending ? 'invitation_withdrawn' : 'removed'
    await writeSeat(deps, tx, changing, { happening, values: { removedAt: now } })
    await endInvitations(tx, seat.id, 'withdrawn')
    // Who has not accepted loses nothing: the link says that it was withdrawn.
    if (!isPending) await emailRemoval(deps, tx, { appName: team.appName, actor: member, seat, lang: body.lang })
    return { email: seat.email }
  })
}

/** What the page has of the person's role. */
function isAsSetupAdmin(seat: SeatRow, { setupAdmin }: { setupAdmin: 0 | 1 }): boolean {
  return (seat.type === seatTypes.setupAdmin) === (setupAdmin === 1)
}
