import type { EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import type { listSubscriptionUsers } from '@atrium/contract/team.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { hasTeam, invitationEnd, managesTeam, typeSeenBy } from '../subscriptions/seats.rules.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { subscriptionUser, teamState } from './subscription-user.ts'
import { pageOfSeats, teamOfMember } from './team.queries.ts'

type Asked = EndpointInput<typeof listSubscriptionUsers>

/** The users of a subscription, for those who manage it (001 §7). @throws Problem `not_found`, `not_manager` */
export async function subscriptionUsers(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  member: Member,
  { params: { sid }, query: { page, pageSize, keyWord } }: Asked,
): Promise<EndpointAnswer<typeof listSubscriptionUsers>> {
  const access = accessNow(deps)
  const team = await teamOfMember(deps.db, member, { subscriptionId: sid, access, keyWord })
  if (!team || team.ownType === null) throw new Problem('not_found')
  if (!managesTeam(typeSeenBy(member, team.ownType))) throw new Problem('not_manager')

  const users = await pageOfSeats(deps.db, {
    ...{ subscriptionId: sid, keyWord },
    ...{ limit: pageSize, offset: (page - 1) * pageSize },
  })
  return {
    subscribeDetail: {
      appName: team.appName,
      appCode: team.appCode,
      orgCode: team.orgCode,
      total: team.total,
      userType: team.ownType,
      userCount: team.userCount,
      joinCount: team.joinCount,
      heldCount: team.heldCount,
      heldUntil: team.firstHeld === null ? '' : invitationEnd(team.firstHeld).toISOString(),
      canAdd: team.hasAccess && hasTeam(team) ? 1 : 0,
      hasSetupAdmins: teamState(team).hasSetupAdmins ? 1 : 0,
    },
    allData: users.map((seat) => subscriptionUser(seat, { team, member, now: access.now })),
  }
}
