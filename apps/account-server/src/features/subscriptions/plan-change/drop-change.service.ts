import type { EndpointAnswer } from '@atrium/contract/endpoint.ts'
import type { dropOpenChange } from '@atrium/contract/plan-changes.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { unresolvedOf } from '../../payments/operations/operations.queries.ts'
import { isResolved } from '../../payments/operations/operations.rules.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { giveUpOperation } from '../../payments/operations/perform-operation.ts'
import { refusalOf, showChange } from '../change-outcome.ts'
import { changeByOrder } from '../paypal-change/paypal-change.operations.ts'
import { renewTerm } from '../renewal/renewal.operations.ts'
import { subscriptionOfMember } from '../subscription-list.queries.ts'
import { accessNow } from '../subscriptions.rules.ts'
import { isWaiting, quotedKinds } from './open-change.queries.ts'
import { changePlan } from './plan-change.operations.ts'

/**
 * Drops a change that waits for the customer, at the provider first: what was paid at the last moment is made instead.
 * @throws Problem `not_found`, `not_owner`, `nothing_to_finish`; `payment_outcome_unknown` if the provider does not answer,
 *   or does not yet say what becomes of a payment
 */
export async function dropChange(
  deps: Deps,
  member: Member,
  sid: string,
): Promise<EndpointAnswer<typeof dropOpenChange>> {
  const listed = await subscriptionOfMember(deps.db, member, { id: sid, access: accessNow(deps) })
  if (!listed) throw new Problem('not_found')
  if (listed.role !== seatTypes.owner) throw new Problem('not_owner')
  const open = await unresolvedOf(deps.db, member, { kinds: quotedKinds, subject: sid })
  const waiting = open.findLast(isWaiting)
  if (!waiting) throw new Problem('nothing_to_finish')
  const operation = await giveUp(deps, waiting)
  // It was paid, and PayPal holds the payment back.
  if (!isResolved(operation)) throw refusalOf(operation)
  if (operation.status !== 'succeeded') return { isDropped: 1 }
  await showChange(deps, operation)
  return { isDropped: 0 }
}

function giveUp(deps: Deps, row: OperationRow): Promise<OperationRow> {
  if (row.kind === 'subscription.change_by_order') return giveUpOperation(deps, changeByOrder, row)
  if (row.kind === 'subscription.renew') return giveUpOperation(deps, renewTerm, row)
  return giveUpOperation(deps, changePlan, row)
}
