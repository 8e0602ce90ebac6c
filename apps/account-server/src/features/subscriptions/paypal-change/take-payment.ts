import type { Deps } from '../../../deps.ts'
import type { PaypalCapture, PaypalOrder } from '../../../outside/paypal/orders.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import type { Operation } from '../../payments/operations/definition.ts'
import { syncPaypalSubscription } from '../paypal-subscriptions.sync.ts'
import { versionOf } from '../plan-change/plan-change.rules.ts'
import { type ListedSubscription, subscriptionOfMember } from '../subscription-list.queries.ts'
import { accessNow } from '../subscriptions.rules.ts'
import { type OrderedChange, OrderOutcome } from './ordered-change.ts'
import { type Paying, payingOf } from './paying-account.ts'

/** What PayPal has of a change. */
export interface Ordered {
  /** Null: nothing is charged. */
  order: PaypalOrder | null
  /** Why nothing is charged, or why it was given back. */
  refused?: 'payment_declined' | 'change_not_possible' | 'nothing_to_finish' | 'other_paypal_account'
  /** Whether it proves that the subscription is the member's, of which only an address has said so. */
  isProof?: boolean
}

type Change = Pick<
  Operation<OrderedChange>,
  'id' | 'memberId' | 'subject' | 'status' | 'resolvedAt' | 'input' | 'result'
>

/**
 * Takes the payment of an order that the customer has approved, as long as the subscription is what was quoted. PayPal takes it once,
 * whoever asks: a page can, too, and can change the order before. One that comes after the period for which it was made, or is not what
 * was asked for, is given back; so is what a page takes of a change that was given up, or of an account that may not pay.
 * @throws ProviderFailure `unknown` if it is not known whether it was taken
 */
export async function takePayment(deps: Deps, change: Change, order: PaypalOrder): Promise<Ordered> {
  if (order.capture) return takenPayment(deps, change, order)
  if (order.state !== 'approved') return { order }
  // It was given up: this approval came too late.
  if (change.resolvedAt !== null) return { order, refused: 'nothing_to_finish' }
  const { id: operationId, input } = change
  const isOurs = order.customId === operationId && isPriceOf(input, order) && isPaidToUs(change, order)
  // PayPal’s event of a renewal may be late.
  await syncPaypalSubscription(deps, input.providerId)
  const listed = await listedNow(deps, change)
  if (!isOurs || !listed || versionOf(listed) !== input.version) return { order, refused: 'change_not_possible' }
  if ((await payingOf(deps, listed, order)) === 'stranger') return { order, refused: 'other_paypal_account' }
  try {
    const captured = await deps.paypal.captureOrder({ id: order.id, operationId })
    return await takenPayment(deps, change, { ...captured, accountId: captured.accountId || order.accountId })
  } catch (error) {
    // It refuses with many codes: in none of them something was taken.
    if (!(error instanceof ProviderFailure) || !['refused', 'invalid'].includes(error.kind)) throw error
    const now = await deps.paypal.readOrder(order.id)
    return now.capture ? takenPayment(deps, change, now) : { order: now, refused: 'payment_declined' }
  }
}

async function takenPayment(deps: Deps, change: Change, order: PaypalOrder): Promise<Ordered> {
  const { capture } = order
  if (capture?.state !== 'paid') return { order }
  const facts = { operationId: change.id, captureId: capture.id }
  if (!isPaidToUs(change, order)) {
    deps.logger.error(facts, 'the order of a change was paid to another account at PayPal')
    return { order, refused: 'change_not_possible' }
  }
  const listed = await listedNow(deps, change)
  const paying = await payingOf(deps, listed, order)
  const refused = paying === 'stranger' ? 'other_paypal_account' : 'change_not_possible'
  if (capture.refundedAt !== null) return { order, refused }
  const reason = reasonAgainst(change, capture, { listed, paying })
  if (reason === undefined) return { order, isProof: paying === 'owner' }
  deps.logger.error(facts, `${reason}: given back`)
  await deps.paypal.refundCapture({ captureId: capture.id, operationId: change.id })
  return { order, refused }
}

interface Situation {
  listed: ListedSubscription | undefined
  paying: Paying
}

/** Why what was paid grants nothing. */
function reasonAgainst({ status, input }: Change, capture: PaypalCapture, { listed, paying }: Situation) {
  if (status === 'failed') return 'paid for a change that was given up'
  if (!isPriceOf(input, capture)) return 'paid with another amount than the order had asked for'
  if (paying === 'stranger') return 'paid with another account than the one that pays for the subscription'
  return listed?.periodEnd?.getTime() === input.periodEnd.getTime() ? undefined : 'paid for a period that is over'
}

function isPriceOf(input: OrderedChange, { amount, currency }: Pick<PaypalOrder, 'amount' | 'currency'>): boolean {
  return amount === input.amount && currency === input.currency
}

/** A page can change the payee of an order, as its amount. */
export function isPaidToUs({ result }: Pick<Change, 'result'>, { payee }: Pick<PaypalOrder, 'payee'>): boolean {
  const { payee: ours } = OrderOutcome.parse(result)
  return ours === '' || payee === ours
}

function listedNow(deps: Deps, { memberId, subject }: Change) {
  return subscriptionOfMember(deps.db, { id: memberId }, { id: subject, access: accessNow(deps) })
}
