import type { EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import type { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { signedToken } from '../session/signed-token.ts'
import { managesTeam } from './seats.rules.ts'
import { pageOfSubscriptions, subscriptionOfMember } from './subscription-list.queries.ts'
import { subscriptionRecord, viewOf } from './subscription-record.rules.ts'
import { accessNow } from './subscriptions.rules.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'clock' | 'wallClock'>
type Query = EndpointInput<typeof listSubscriptions>['query']

/** The subscriptions in which a member has a role (001 §2). */
export async function subscriptionsOf(
  deps: Needs,
  member: Member,
  { subscriptionType, status, keywords, page, pageSize }: Query,
): Promise<EndpointAnswer<typeof listSubscriptions>> {
  const access = accessNow(deps)
  const isOffline = subscriptionType === '1'
  const asked = { member, access, isOffline, status, keywords, limit: pageSize, offset: (page - 1) * pageSize }
  const { rows, total } = await pageOfSubscriptions(deps.db, asked)
  const view = { ...viewOf(deps.config, access.now), isSupport: member.isSupport ?? false }
  return { list: rows.map((row) => subscriptionRecord(row, view)), total }
}

/**
 * The address of another program of the vendor at which a subscription is managed, with a token that says who comes.
 * @throws Problem `not_found`, `not_manager`, or `not_manageable` if it is managed elsewhere, or gives no access
 */
export async function manageAddress(
  deps: Needs,
  member: Member,
  { sid, at }: { sid: string; at: 'portal' | 'storage' },
) {
  const access = accessNow(deps)
  const listed = await subscriptionOfMember(deps.db, member, { id: sid, access })
  if (!listed) throw new Problem('not_found')
  if (!managesTeam(listed.role)) throw new Problem('not_manager')
  const { manageBy } = subscriptionRecord(listed, viewOf(deps.config, access.now))
  const { REDACT_PORTAL_URL: portal, STORAGE_URL: storage } = deps.config
  const address = at === 'portal' ? portal : storage
  if (manageBy !== at || address === undefined) throw new Problem('not_manageable')

  const url = new URL(address)
  const purpose = at === 'portal' ? 'redact-portal' : 'storage'
  const token = await signedToken(deps, member, { purpose, audience: url.origin, claims: { sid } })
  url.searchParams.set('token', token)
  return { url: url.href }
}
