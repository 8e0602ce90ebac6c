import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import { paypalCallBack as contract, type PurchaseReply } from '@atrium/contract/plan-changes.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem, problemWithData } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { lastOperationAbout, unresolvedOf } from '../../payments/operations/operations.queries.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { giveUpOperation, lookUpOperation } from '../../payments/operations/perform-operation.ts'
import { runOperation, waitForChildren } from '../../payments/operations/run-operation.ts'
import { refusalOf } from '../change-outcome.ts'
import { approvalOfRenewal, isApprovalPage } from '../paypal-approvals.service.ts'
import { type AskedChange, changeQuotes } from '../plan-change/change-quotes.tables.ts'
import { purchaseReply } from '../plan-change/purchase-reply.ts'
import { OrderedChange, OrderOutcome } from './ordered-change.ts'
import { syncOrderedPayment } from './ordered-payments.sync.ts'
import { changeByOrder } from './paypal-change.operations.ts'

interface Commit {
  sid: string
  quoteId: string
  asked: AskedChange
  discount: number | undefined
}

/** Asks the customer to approve at PayPal what the quote showed. An order that nobody has approved gives way to the new one. */
export async function orderChange(
  deps: Deps,
  member: Member,
  { idempotencyKey, ...asked }: Commit & { idempotencyKey: IdempotencyKey | undefined },
): Promise<PurchaseReply> {
  const open = await unresolvedOf(deps.db, member, { kinds: [changeByOrder.kind], subject: asked.sid })
  const waiting = open.filter(({ status }) => status === 'requires_action')
  // A second click.
  const same = waiting.find(({ input }) => OrderedChange.parse(input).quoteId === asked.quoteId)
  if (same) return finishedReply(deps, member, same)
  for (const row of waiting) await dropUnapproved(deps, row)
  const run = await runOperation(deps, changeByOrder, { member, asked, idempotencyKey })
  if (run.is === 'nothing_to_do') throw new Error('a change is always ordered or refused')
  return orderedReply(deps, member, run.operation)
}

async function dropUnapproved(deps: Deps, row: OperationRow): Promise<void> {
  // If it was approved meanwhile, it is paid now.
  const { operation } = await lookUpOperation(deps, changeByOrder, row)
  if (operation.status === 'requires_action') await giveUpOperation(deps, changeByOrder, operation)
}

/**
 * After the approval at PayPal, whatever came of it: the server asks PayPal, and captures what was approved. A second return changes
 * nothing.
 * @throws Problem `nothing_to_finish`, also if the page speaks of another change than the last one
 */
export async function finishOrder(
  deps: Deps,
  member: Member,
  body: EndpointInput<typeof contract>['body'],
): Promise<PurchaseReply> {
  const last = await lastOrder(deps, member, body.subscriptionId)
  if (!last || !(await isAbout(deps, last, body))) throw new Problem('nothing_to_finish')
  return finishedReply(deps, member, last)
}

/** The newest change of a subscription that was ordered at PayPal. */
export function lastOrder({ db }: Deps, member: Pick<Member, 'id'>, sid: string): Promise<OperationRow | undefined> {
  return lastOperationAbout(db, member, { kind: changeByOrder.kind, subject: sid })
}

export async function finishedReply(deps: Deps, member: Member, row: OperationRow): Promise<PurchaseReply> {
  if (row.resolvedAt) return orderedReply(deps, member, row)
  const { operation } = await lookUpOperation(deps, changeByOrder, row)
  return orderedReply(deps, member, operation)
}

async function isAbout(
  { db }: Deps,
  row: OperationRow,
  { type, increasingNumber, appCode, quoteId, invoiceId }: EndpointInput<typeof contract>['body'],
): Promise<boolean> {
  const { quoteId: own } = OrderedChange.parse(row.input)
  const { orderId } = OrderOutcome.parse(row.result)
  const [quote] = await db.select().from(changeQuotes).where(eq(changeQuotes.id, own))
  const isSame = <Value>(value: Value | undefined, known: Value | undefined) => value === undefined || value === known
  return (
    // It is gone once the subscription is somebody else's.
    quote !== undefined &&
    isSame(quoteId, own) &&
    isSame(invoiceId, orderId) &&
    isSame(type, quote.asked.type) &&
    isSame(increasingNumber, quote.asked.increasingNumber) &&
    isSame(appCode, quote.shown.after.appCode)
  )
}

async function orderedReply(deps: Deps, member: Member, operation: OperationRow): Promise<PurchaseReply> {
  const { status, input, result, subject } = operation
  const { quoteId } = OrderedChange.parse(input)
  const again = retriable.find((code) => code === operation.problem)
  if (again) throw await unpaidOrder(deps, quoteId, again)
  if (status !== 'succeeded' && status !== 'requires_action') throw refusalOf(operation)
  const { orderId, approveUrl, captureId } = OrderOutcome.parse(result)
  if (status === 'succeeded') {
    await waitForChildren(deps, operation)
    if (captureId !== '') await orLater(deps, () => syncOrderedPayment(deps, captureId))
  }
  const isOpen = status === 'requires_action'
  return purchaseReply(deps, quoteId, {
    ...{ payType: 'paypal', clientSecret: '' },
    // PayPal holds the payment back: the customer has nothing left to do.
    paymentIntentStatus: isOpen && captureId !== '' ? 'processing' : status,
    paypalOrderId: isOpen ? orderId : '',
    approveUrl: isApprovalPage(approveUrl, deps.config) ? approveUrl : '',
    approveLink: isOpen ? '' : await confirmation(deps, member, subject),
  })
}

/** Nothing was charged, and another payment of the same change may be. */
const retriable = ['payment_declined', 'other_paypal_account'] as const

/** With what was wanted, so that the customer can begin again. */
async function unpaidOrder({ db }: Deps, quoteId: string, code: (typeof retriable)[number]): Promise<Problem> {
  const [quote] = await db.select().from(changeQuotes).where(eq(changeQuotes.id, quoteId))
  if (!quote) throw new Error('the quote of an order is gone')
  const { type, increasingNumber } = quote.asked
  return problemWithData(contract, code, { type, increasingNumber })
}

/** Where the customer confirms the next cycle; empty if that is done, or not possible now: the row offers it as well. */
async function confirmation(deps: Deps, member: Member, sid: string): Promise<string> {
  try {
    return (await approvalOfRenewal(deps, member, sid)).approveLink
  } catch (error) {
    if (error instanceof Problem) return ''
    throw error
  }
}

/** What cannot be read now, PayPal's event brings. */
async function orLater({ logger }: Deps, read: () => Promise<void>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    logger.warn({ err: error }, 'a payment of PayPal could not be read')
  }
}
