import type { Subscription } from '@atrium/contract/subscriptions.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { problemOf } from '../payments/declines.rules.ts'
import type { OperationRow } from '../payments/operations/operations.tables.ts'
import { subscriptionOfMember } from './subscription-list.queries.ts'
import { subscriptionRecord, viewOf } from './subscription-record.rules.ts'
import { accessNow } from './subscriptions.rules.ts'

/** Problems that every change of a subscription at its provider may have. */
export const codes = {
  unavailable: 'payment_provider_unavailable',
  unknown: 'payment_outcome_unknown',
  excluded: 'subscription_change_pending',
} as const

/** The record of a subscription as it is now. @throws Problem `not_found` */
export async function recordNow(deps: Deps, member: Member, sid: string): Promise<Subscription> {
  const access = accessNow(deps)
  const listed = await subscriptionOfMember(deps.db, member, { id: sid, access })
  if (!listed) throw new Problem('not_found')
  return subscriptionRecord(listed, viewOf(deps.config, access.now))
}

/** Why a change did not succeed. */
export function refusalOf(operation: OperationRow): Problem {
  const { status, problem } = operation
  if (status === 'pending' || status === 'requires_action') return new Problem(codes.unknown)
  const code = problem ?? codes.unavailable
  return code === codes.unavailable ? new Problem(code, { retryAfter: 5 }) : problemOf(operation, code)
}
