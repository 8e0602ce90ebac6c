import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { changeUserRole, SubscriptionUser, switchUserLicense } from '@atrium/contract/team.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { daysLater } from '../../../db/calendar.rules.ts'
import type { Deps } from '../../../deps.ts'
import { emailRoleChange } from '../emails/team-emails.writes.ts'
import { waitFor } from '../invitations/invitations.rules.ts'
import { subscriptionUser } from '../subscription-user.ts'
import type { SeatRow } from '../team.queries.ts'
import { nextRole } from '../team.rules.ts'
import { type Changing, lockUser, writeSeat } from './change-user.ts'
import { needSeat } from './lock-team.ts'
import { roleChanges } from './role-changes.queries.ts'

/** Changes of one person's role by one manager in a day, since that person is emailed each time. */
const roleChangesPerDay = 5

/**
 * A Member becomes a Setup Admin, who holds no license; a Setup Admin becomes a Member, who needs one.
 * @throws Problem `no_seat`, `too_often`, besides what `lockUser` throws
 */
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
    await expectSeldom(tx, changing)
    const after = await writeSeat(deps, tx, changing, { happening: 'role_changed', values: { type, isUse } })
    await emailRoleChange(deps, tx, { appName: team.appName, actor: member, seat, lang: body.lang }, type)
    return subscriptionUser(after, changing)
  })
}

/** @throws Problem `too_often` */
async function expectSeldom(tx: Tx, { team: { ownerId }, seat: { email }, member, now }: Changing): Promise<void> {
  const sent = await roleChanges(tx, { ownerId, managerId: member.id, email, since: daysLater(now, -1) })
  const retryAfter = waitFor(sent, { most: roleChangesPerDay, seconds: 86_400, now })
  if (retryAfter > 0) throw new Problem('too_often', { retryAfter })
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

/** What the page has of the person's role. */
export function isAsSetupAdmin(seat: SeatRow, { setupAdmin }: { setupAdmin: 0 | 1 }): boolean {
  return (seat.type === seatTypes.setupAdmin) === (setupAdmin === 1)
}
