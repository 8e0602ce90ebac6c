import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import { changePlan as contract, type memberPlanPlace, type PurchaseReply } from '@atrium/contract/plan-changes.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem, problemWithData } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { lastOperationAbout } from '../../payments/operations/operations.queries.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { lookUpOperation } from '../../payments/operations/perform-operation.ts'
import { runOperation, waitForChildren } from '../../payments/operations/run-operation.ts'
import { codes, refusalOf } from '../change-outcome.ts'
import { finishedReply, lastOrder, orderChange } from '../paypal-change/paypal-change.service.ts'
import { subscriptionOfMember } from '../subscription-list.queries.ts'
import { accessNow } from '../subscriptions.rules.ts'
import { syncSubscription } from '../subscriptions.sync.ts'
import { newQuote } from './change-quotes.service.ts'
import type { AskedChange } from './change-quotes.tables.ts'
import { changePlan } from './plan-change.operations.ts'
import { purchaseReply } from './purchase-reply.ts'
import { Change, ChangeOutcome } from './stored-change.ts'

type Commit = EndpointInput<typeof contract>['body']

/**
 * Makes a change, and charges exactly what its quote showed.
 * @throws Problem `quote_changed` with a fresh quote if that is not what it would cost now
 */
export async function commitChange(
  deps: Deps,
  member: Member,
  { body, idempotencyKey }: { body: Commit; idempotencyKey: IdempotencyKey | undefined },
): Promise<PurchaseReply> {
  const { subscriptionId: sid, quoteId, paymentMethodId, discount, ...wanted } = body
  const { type, increasingNumber, upgradeSelect, couponCode } = wanted
  const change: AskedChange = { type, increasingNumber, upgradeSelect, couponCode }
  try {
    const listed = await subscriptionOfMember(deps.db, member, { id: sid, access: accessNow(deps) })
    if (listed?.channel === 'paypal') {
      return await orderChange(deps, member, { sid, quoteId, asked: change, discount, idempotencyKey })
    }
    const asked = { sid, quoteId, asked: change, paymentMethodId, discount }
    const run = await runOperation(deps, changePlan, { member, asked, idempotencyKey })
    if (run.is === 'nothing_to_do') throw new Error('a change is always made or refused')
    return await replyOf(deps, run.operation)
  } catch (error) {
    if (error instanceof Problem && error.code === codes.excluded) await readAgain(deps, member, sid)
    if (!(error instanceof Problem && error.code === 'quote_changed')) throw error
    const { quote } = await newQuote(deps, member, { sid, asked: change })
    throw problemWithData(contract, 'quote_changed', quote)
  }
}

/** Shows what is in the way, so that it can be continued or dropped. */
async function readAgain(deps: Deps, member: Member, sid: string): Promise<void> {
  const listed = await subscriptionOfMember(deps.db, member, { id: sid, access: accessNow(deps) })
  if (listed?.channel !== 'card' || listed.providerId === null) return
  await syncSubscription(deps, listed.providerId).catch((error: unknown) =>
    deps.logger.warn({ err: error, sid }, 'what is in the way of a change could not be read'),
  )
}

/** After the bank's question, or the approval at PayPal: asks the provider how it stands. One that is still open stays so. */
export async function finishChange(
  deps: Deps,
  member: Member,
  { subscriptionId }: EndpointInput<typeof memberPlanPlace>['body'],
): Promise<PurchaseReply> {
  const ordered = await lastOrder(deps, member, subscriptionId)
  if (ordered) return finishedReply(deps, member, ordered)
  const last = await lastOperationAbout(deps.db, member, { kind: 'subscription.change', subject: subscriptionId })
  if (!last) throw new Problem('nothing_to_finish')
  if (last.resolvedAt) return replyOf(deps, last)
  const { operation } = await lookUpOperation(deps, changePlan, last)
  return replyOf(deps, operation)
}

async function replyOf(deps: Deps, operation: OperationRow): Promise<PurchaseReply> {
  const { status, input, result } = operation
  if (status !== 'succeeded' && status !== 'requires_action') throw refusalOf(operation)
  if (status === 'succeeded') await waitForChildren(deps, operation)
  const clientSecret = status === 'requires_action' ? ChangeOutcome.parse(result).clientSecret : ''
  const payment = { payType: 'card', paymentIntentStatus: status, clientSecret } as const
  return purchaseReply(deps, Change.parse(input).quoteId, payment)
}
