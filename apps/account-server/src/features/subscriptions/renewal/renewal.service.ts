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
import { refusalOf } from '../change-outcome.ts'
import { purchaseReply } from '../plan-change/purchase-reply.ts'
import { Renewal, RenewalOutcome } from './renewal.input.ts'
import { renewTerm } from './renewal.operations.ts'
import { askedRenewal, newRenewalQuote } from './renewal-quotes.service.ts'

interface Commit {
  body: EndpointInput<typeof contract>['body']
  idempotencyKey: IdempotencyKey | undefined
}

/**
 * Renews a prepaid term, and charges exactly what its quote showed.
 * @throws Problem `quote_changed` with a fresh quote if that is not what it would cost now
 */
export async function commitRenewal(
  deps: Deps,
  member: Member,
  { body, idempotencyKey }: Commit,
): Promise<PurchaseReply> {
  const { subscriptionId: sid, quoteId, paymentMethodId, discount, couponCode } = body
  const renewal = askedRenewal({ couponCode })
  try {
    const asked = { sid, quoteId, asked: renewal, paymentMethodId, discount }
    const run = await runOperation(deps, renewTerm, { member, asked, idempotencyKey })
    if (run.is === 'nothing_to_do') throw new Error('a renewal is always made or refused')
    return await replyOf(deps, run.operation)
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'quote_changed')) throw error
    const { quote } = await newRenewalQuote(deps, member, { sid, asked: renewal })
    throw problemWithData(contract, 'quote_changed', quote)
  }
}

/** After the bank's question: asks the provider how the renewal stands. Undefined: the last purchase was another one. */
export async function finishRenewal(
  deps: Deps,
  member: Member,
  { subscriptionId: subject }: EndpointInput<typeof memberPlanPlace>['body'],
): Promise<PurchaseReply | undefined> {
  const last = await lastOperationAbout(deps.db, member, { kind: 'subscription.renew', subject })
  const change = await lastOperationAbout(deps.db, member, { kind: 'subscription.change', subject })
  if (!last || (change && change.createdAt > last.createdAt)) return undefined
  const operation = last.resolvedAt ? last : (await lookUpOperation(deps, renewTerm, last)).operation
  return replyOf(deps, operation)
}

async function replyOf(deps: Deps, operation: OperationRow): Promise<PurchaseReply> {
  const { status, input, result } = operation
  if (status !== 'succeeded' && status !== 'requires_action') throw refusalOf(operation)
  if (status === 'succeeded') await waitForChildren(deps, operation)
  const { clientSecret } = RenewalOutcome.parse(result)
  const payment = { payType: 'card', paymentIntentStatus: status, clientSecret } as const
  return purchaseReply(deps, Renewal.parse(input).quoteId, payment)
}
