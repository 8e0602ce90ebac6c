import type { EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import type * as contract from '@atrium/contract/overdue-payments.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { lastOperationAbout } from '../../payments/operations/operations.queries.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { lookUpOperation } from '../../payments/operations/perform-operation.ts'
import { runOperation, waitForChildren } from '../../payments/operations/run-operation.ts'
import { refusalOf } from '../change-outcome.ts'
import { Overdue, OverdueOutcome, payOverdue } from './overdue.operations.ts'

type Reply = EndpointAnswer<typeof contract.payOverdue>

interface Paying {
  sid: string
  body: EndpointInput<typeof contract.payOverdue>['body']
  idempotencyKey: IdempotencyKey | undefined
}

/** Pays what is open of a subscription. Requests with the same key, and those while one is open, are one payment. */
export async function payWhatIsDue(deps: Deps, member: Member, { sid, body, idempotencyKey }: Paying): Promise<Reply> {
  const run = await runOperation(deps, payOverdue, { member, asked: { sid, ...body }, idempotencyKey })
  if (run.is === 'nothing_to_do') throw new Error('a payment is always made or refused')
  // The same request again, after a lost answer: the rest may be open, or refused.
  if (run.is === 'joined' && hasRest(run.operation)) return finishPayment(deps, member, sid)
  return replyOf(deps, run.operation)
}

/** Whether it succeeded, and did not pay all of what was confirmed. */
function hasRest({ status, input, result }: OperationRow): boolean {
  return status === 'succeeded' && OverdueOutcome.parse(result).paidCount < Overdue.parse(input).invoiceIds.length
}

/** After the bank's question: asks the provider how it stands, and pays the rest. One that is still open stays so. */
export async function finishPayment(deps: Deps, member: Member, sid: string): Promise<Reply> {
  const last = await lastOperationAbout(deps.db, member, { kind: 'subscription.pay', subject: sid })
  if (!last) throw new Problem('nothing_to_finish')
  const operation = last.resolvedAt ? last : (await lookUpOperation(deps, payOverdue, last)).operation
  return (await payRest(deps, member, operation)) ?? replyOf(deps, operation)
}

/** Milliseconds after the bank's question for which the rest still counts as confirmed with it. */
const restMs = 10 * 60_000

/**
 * The customer has confirmed the sum of several invoices, and the bank asks for each: those after the one that it asked about are still
 * to be paid. Undefined: there is nothing more of what was confirmed.
 */
async function payRest(deps: Deps, member: Member, operation: OperationRow): Promise<Reply | undefined> {
  const { status, input, result, resolvedAt, subject: sid } = operation
  const { amounts, paymentMethodId, currency } = Overdue.parse(input)
  const rest = amounts.slice(OverdueOutcome.parse(result).paidCount)
  const isRecent = resolvedAt !== null && deps.wallClock().getTime() - resolvedAt.getTime() < restMs
  if (status !== 'succeeded' || rest.length === 0 || !isRecent) return undefined
  const amount = rest.reduce((sum, one) => sum + one, 0)
  return payWhatIsDue(deps, member, { sid, body: { amount, currency, paymentMethodId }, idempotencyKey: undefined })
}

async function replyOf(deps: Deps, operation: OperationRow): Promise<Reply> {
  const { status, input, result } = operation
  if (status !== 'succeeded' && status !== 'requires_action') throw refusalOf(operation)
  if (status === 'succeeded') await waitForChildren(deps, operation)
  const { amount: chargeAmount, currency } = Overdue.parse(input)
  const { clientSecret } = OverdueOutcome.parse(result)
  return { paymentIntentStatus: status, clientSecret, chargeAmount, currency }
}
