import type { listActivity, SsoActivity } from '@atrium/contract/activity.ts'
import type { EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { signedToken } from '../session/signed-token.ts'
import { activityPage } from './account-activity.queries.ts'
import { isWanted, shownEntry } from './activity-shown.rules.ts'

/** What happened in the member's account, here and at the single sign-on. */
export async function accountActivity(
  deps: Deps,
  member: Member,
  query: EndpointInput<typeof listActivity>['query'],
): Promise<EndpointAnswer<typeof listActivity>> {
  const reported = await reportedActivity(deps, member)
  const atSso = reported.list?.filter((entry) => isWanted(entry, query))
  const { list, total } = await activityPage(deps.db, member, { ...query, atSso })
  return { list: list.map(shownEntry), total, isComplete: reported.isComplete }
}

interface Reported {
  /** Undefined: the single sign-on reports nothing. */
  list: readonly SsoActivity[] | undefined
  isComplete: boolean
}

async function reportedActivity(deps: Deps, member: Member): Promise<Reported> {
  try {
    const token = await signedToken(deps, member, { purpose: 'activity', audience: deps.config.SSO_URL })
    return { list: await deps.sso.activity(token), isComplete: true }
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'sign_on_unreachable')) throw error
    return { list: undefined, isComplete: false }
  }
}
