import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { lockCaller } from '../../../db/members.queries.ts'
import type { Deps } from '../../../deps.ts'
import { managesTeam } from '../../subscriptions/seats.rules.ts'
import { accessNow } from '../../subscriptions/subscriptions.rules.ts'
import { lockSubscriptionOf, type Team, teamOfMember } from '../team.queries.ts'

/**
 * Locks the caller and a subscription whose users are to change: of two requests, the second one finds what the first has done, also to the
 * caller's own role.
 * @throws Problem `signed_out` (`lockCaller`), `not_found`, `not_manager`
 */
export async function lockTeam(
  deps: Pick<Deps, 'clock' | 'config'>,
  tx: Tx,
  { member, sid }: { member: Member; sid: string },
): Promise<Team> {
  await lockCaller(tx, member)
  if (!(await lockSubscriptionOf(tx, member, sid))) throw new Problem('not_found')
  const team = await teamOfMember(tx, member, { subscriptionId: sid, access: accessNow(deps) })
  if (!team || team.ownType === null) throw new Problem('not_found')
  if (!managesTeam(team.ownType)) throw new Problem('not_manager')
  return team
}

/** @throws Problem `no_seat` if all seats are taken */
export function needSeat({ joinCount, userCount }: Team): void {
  if (joinCount >= userCount) throw new Problem('no_seat')
}
