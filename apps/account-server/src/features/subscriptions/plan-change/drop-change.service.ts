import type { EndpointAnswer } from '@atrium/contract/endpoint.ts'
import type { OpenChange } from '@atrium/contract/open-changes.ts'
import type { dropOpenChange } from '@atrium/contract/plan-changes.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { unresolvedOf } from '../../payments/operations/operations.queries.ts'
import { isResolved } from '../../payments/operations/operations.rules.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { giveUpOperation } from '../../payments/operations/perform-operation.ts'
import { runOperation, waitForChildren } from '../../payments/operations/run-operation.ts'
import { codes, refusalOf } from '../change-outcome.ts'
import { changeByOrder } from '../paypal-change/paypal-change.operations.ts'
import { renewTerm } from '../renewal/renewal.operations.ts'
import { subscriptionOfMember } from '../subscription-list.queries.ts'
import { accessNow } from '../subscriptions.rules.ts'
import { syncSubscription } from '../subscriptions.sync.ts'
import { emailChangeNotMade, emailNotMade } from './change-not-made.email.ts'
import { giveUpChange } from './give-up-change.operations.ts'
import { isWaiting, openChangeAtProvider, quotedKinds } from './open-change.queries.ts'
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
  const change = openChangeAtProvider(listed)
  if (open.length === 0 && listed.pendingChange && change)
    return dropAtProvider(deps, member, { ...listed, ...listed.pendingChange, change })
  if (!waiting) throw new Problem('nothing_to_finish')
  const operation = await giveUpWaiting(deps, waiting)
  // It was paid, and PayPal holds the payment back.
  if (!isResolved(operation)) throw refusalOf(operation)
  if (operation.status !== 'succeeded') {
    // One at PayPal does not tell a change that is dropped from one that gives way to another.
    if (waiting.kind === changeByOrder.kind) await deps.db.transaction((tx) => emailChangeNotMade(deps, tx, waiting))
    return { isDropped: 1 }
  }
  await waitForChildren(deps, operation)
  return { isDropped: 0 }
}

interface AtProvider {
  id: string
  providerId: string | null
  invoiceId: string
  change: OpenChange
  product: { name: string }
}

/** One that was begun at the card provider. */
async function dropAtProvider(
  deps: Deps,
  member: Member,
  { id: sid, providerId, invoiceId, change, product }: AtProvider,
): Promise<EndpointAnswer<typeof dropOpenChange>> {
  const run = await runOperation(deps, giveUpChange, { member, asked: { sid, invoiceId } })
  if (run.is === 'nothing_to_do' || !isResolved(run.operation)) throw new Problem(codes.unknown)
  if (providerId === null) throw new Error('what waits at the provider is billed there')
  try {
    await syncSubscription(deps, providerId)
    const { status } = await deps.cards.readInvoice(invoiceId)
    if (status === 'paid') return { isDropped: 0 }
    const notMade = { sid, memberId: member.id, change, product: product.name }
    await deps.db.transaction((tx) => emailNotMade(deps, tx, notMade))
    return { isDropped: 1 }
  } catch (error) {
    throw error instanceof ProviderFailure ? new Problem(codes.unknown, { cause: error }) : error
  }
}

function giveUpWaiting(deps: Deps, row: OperationRow): Promise<OperationRow> {
  if (row.kind === 'subscription.change_by_order') return giveUpOperation(deps, changeByOrder, row)
  if (row.kind === 'subscription.renew') return giveUpOperation(deps, renewTerm, row)
  return giveUpOperation(deps, changePlan, row)
}
