import type { EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import type { listSubscriptionUsers } from '@atrium/contract/team.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { managesTeam } from '../subscriptions/seats.rules.ts'
import { pageOfSeats, teamOfMember } from './team.queries.ts'

type Query = EndpointInput<typeof listSubscriptionUsers>['query']

/** The users of a subscription, for those who manage it (001 §7). */
export async function subscriptionUsers(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  member: Member,
  { sid, page, pageSize }: Query,
): Promise<EndpointAnswer<typeof listSubscriptionUsers>> {
  const team = await teamOfMember(db, member, sid, clock())
  if (!team || team.ownType === null) throw new Problem('not_found')
  if (!managesTeam(team.ownType)) throw new Problem('not_manager')

  const users = await pageOfSeats(db, sid, { limit: pageSize, offset: (page - 1) * pageSize })
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
    },
    allData: users.map(({ id, email, type, status, isUse }) => ({
      email,
      type,
      status,
      isUse: isUse ? 1 : 0,
      distributionUuid: id,
    })),
  }
}
