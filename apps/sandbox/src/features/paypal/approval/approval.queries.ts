import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { orderApprovalLink } from '../orders/orders.wire.ts'
import { billedPlan } from '../plans/plan-override.ts'
import { paypalObjects } from '../store/paypal.tables.ts'
import { find, findLocked } from '../store/store.ts'
import { type ApprovalContext, isOf, type Order, type Plan, type Subscription } from '../store/stored.ts'
import { approvalLink } from '../subscriptions/subscriptions.wire.ts'

/** What the buyer is asked to approve. */
type Asked =
  | { kind: 'order'; order: Order }
  | { kind: 'subscription'; subscription: Subscription; plan: Plan; revised: Plan | null }

export interface Question {
  asked: Asked
  context: ApprovalContext
  /** `gone`: it can no longer be answered. */
  state: 'open' | 'approved' | 'gone'
  /** Where its page is. */
  path: string
}

/** The tokens of the page's address, of which one is given. */
export interface Tokens {
  token?: string | undefined
  ba_token?: string | undefined
  /** The browser SDK knows the subscription only. */
  subscription_id?: string | undefined
}

export async function findQuestion(db: Reader, tokens: Tokens): Promise<Question | undefined> {
  if (tokens.ba_token !== undefined) return questionOfSubscription(db, tokens.ba_token)
  if (tokens.subscription_id !== undefined) {
    const subscription = await find(db, 'subscription', tokens.subscription_id)
    return subscription?.approval ? questionOfSubscription(db, subscription.approval.token) : undefined
  }
  const order = await find(db, 'order', tokens.token ?? '')
  return order && questionOfOrder(order)
}

/** Locks what is asked: of two simultaneous answers the first counts. */
export async function lockQuestion(tx: Tx, tokens: Tokens): Promise<Question | undefined> {
  const found = await findQuestion(tx, tokens)
  if (!found) return undefined
  const { asked } = found
  if (asked.kind === 'order') await findLocked(tx, 'order', asked.order.id)
  else await findLocked(tx, 'subscription', asked.subscription.id)
  return findQuestion(tx, tokens)
}

function questionOfOrder(order: Order): Question {
  return {
    asked: { kind: 'order', order },
    context: order.context,
    state: stateOfOrder(order),
    path: orderApprovalLink('', order.id),
  }
}

function stateOfOrder({ status, hasFunds }: Order): Question['state'] {
  if (status === 'VOIDED') return 'gone'
  // After a declined charge the buyer comes back to choose another payment method.
  const isApproved = status === 'COMPLETED' || (status === 'APPROVED' && hasFunds)
  return isApproved ? 'approved' : 'open'
}

async function questionOfSubscription(db: Reader, token: string): Promise<Question | undefined> {
  const [row] = await db
    .select({ stored: paypalObjects.stored })
    .from(paypalObjects)
    .where(eq(paypalObjects.approvalToken, token))
  if (!row || !isOf(row.stored, 'subscription')) return undefined
  const subscription = row.stored.object
  const { approval, status } = subscription
  const plan = await billedPlan(db, subscription)
  if (!approval || !plan) return undefined
  const revised = approval.revision && ((await billedPlan(db, approval.revision)) ?? null)
  const canBeAsked = approval.revision ? status === 'ACTIVE' : status === 'APPROVAL_PENDING'
  return {
    asked: { kind: 'subscription', subscription, plan, revised },
    context: approval.context,
    state: stateOf(approval.isApproved, canBeAsked),
    path: approvalLink('', token),
  }
}

function stateOf(isApproved: boolean, canBeAsked: boolean): Question['state'] {
  if (isApproved) return 'approved'
  return canBeAsked ? 'open' : 'gone'
}
