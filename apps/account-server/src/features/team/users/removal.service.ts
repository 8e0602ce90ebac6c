import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { maxListedLicenses, type removeSubscriptionUser, type UserRemoval } from '@atrium/contract/team.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../../deps.ts'
import { isLapsed } from '../../subscriptions/seats.rules.ts'
import { emailRemoval } from '../emails/team-emails.writes.ts'
import { endInvitations } from '../invitations/invitations.writes.ts'
import { otherTeamsOf } from '../team.queries.ts'
import { type Changing, lockUser, writeSeat } from './change-user.ts'
import { isAsSetupAdmin } from './users.service.ts'

/** What nouns above know of a person who is removed. */
export interface RemovalFacts {
  activeDevicesOfSeat(tx: Tx, seatId: string): Promise<UserRemoval['devices']>
  licensesNaming(
    tx: Tx,
    asked: { holderId: string; personId: string; limit: number },
  ): Promise<{ list: UserRemoval['licenses']; total: number }>
}

type Asked = EndpointInput<typeof removeSubscriptionUser>

/** What `removeUser` would do now. */
export function previewRemoval(deps: Deps, member: Member, asked: Asked, facts: RemovalFacts): Promise<UserRemoval> {
  return deps.db.transaction(async (tx) => removalOf(tx, await lockRemoval(deps, tx, member, asked), facts))
}

/** Frees the seat. The person's devices are inactive by that; an invitation's link is void. */
export function removeUser(deps: Deps, member: Member, asked: Asked, facts: RemovalFacts): Promise<UserRemoval> {
  return deps.db.transaction(async (tx) => {
    const changing = await lockRemoval(deps, tx, member, asked)
    const removal = await removalOf(tx, changing, facts)
    const { seat, team, now } = changing
    const isPending = seat.status === 'Pending'
    const happening = isPending ? 'invitation_withdrawn' : 'removed'
    await writeSeat(deps, tx, changing, { happening, values: { removedAt: now } })
    await endInvitations(tx, seat.id, 'withdrawn')
    const { lang } = asked.body
    // Who has not accepted loses nothing: the link says that it was withdrawn.
    if (!isPending) await emailRemoval(deps, tx, { appName: team.appName, actor: member, seat, lang })
    return removal
  })
}

function lockRemoval(deps: Deps, tx: Tx, member: Member, { params: { sid }, body }: Asked): Promise<Changing> {
  return lockUser(deps, tx, {
    ...{ member, action: 'remove', target: { sid, ...body } },
    isAsShown: (seat) => (seat.status === 'Pending') === (body.type === 1) && isAsSetupAdmin(seat, body),
  })
}

/** The licenses are the caller's own, whoever owns the subscription: a Setup Admin sees none of the Owner's. */
async function removalOf(tx: Tx, { seat, member, now }: Changing, facts: RemovalFacts): Promise<UserRemoval> {
  const { id, email, memberId: personId, status } = seat
  const holdsSeat = status === 'Pending' ? seat.type !== seatTypes.setupAdmin && !isLapsed(seat, now) : seat.isUse
  const devices = await facts.activeDevicesOfSeat(tx, id)
  const asked = { holderId: member.id, limit: maxListedLicenses }
  const licenses = personId === null ? none : await facts.licensesNaming(tx, { ...asked, personId })
  const otherTeams = await otherTeamsOf(tx, member, seat)
  return {
    ...{ email, freesSeat: holdsSeat ? 1 : 0, devices },
    ...{ licenses: licenses.list, licenseTotal: licenses.total, otherTeams },
  }
}

const none = { list: [], total: 0 }
