import type { z } from 'zod'
import { billedPlan, overrideOf } from '../plans/plan-override.ts'
import { find, save } from '../store/store.ts'
import type { Buyer, Plan, Subscription } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { newId } from '../wire/ids.rules.ts'
import { impossible, notFound } from '../wire/refusal.ts'
import { type Billed, startBilling } from './billing.writes.ts'
import type { Revision } from './subscriptions.parameters.ts'
import { approvalLink, subscriptionEvent, subscriptionLinks } from './subscriptions.wire.ts'
import { lockedSubscription, refuseQuantity, refuseStatus } from './subscriptions.writes.ts'

/**
 * Asks the buyer to approve another plan or quantity. Until then the old ones are billed; a newer revision replaces this one. What was
 * overridden before is not carried forward.
 * @throws Refusal 422 for a plan of another product, and for terms that do not fit the plan
 */
export async function revise(call: Call, id: string, given: z.output<typeof Revision>): Promise<object> {
  const { subscription, plan } = await lockedSubscription(call, id)
  refuseStatus(subscription, ['ACTIVE'], 'revise')
  const wanted = given.plan_id === undefined ? plan : await find(call.tx, 'plan', given.plan_id)
  if (!wanted) throw notFound()
  refusePlan(wanted, plan)
  const quantity = given.quantity ?? (wanted.isQuantitySupported ? subscription.quantity : '1')
  refuseQuantity(wanted, quantity)
  const nowhere = { returnUrl: null, cancelUrl: null, brandName: null, isContinue: false }
  const override = given.plan && overrideOf(wanted, given.plan, call.now.toISOString())
  const revision = { planId: wanted.id, quantity, ...(override && { override }) }
  const approval = {
    token: newId.approval(),
    context: given.application_context ?? nowhere,
    revision,
    isApproved: false,
  }
  const object = { ...subscription, approval }
  await save(call.tx, { kind: 'subscription', object })
  return {
    plan_id: wanted.id,
    quantity,
    plan_overridden: override !== undefined,
    links: [
      { href: approvalLink(call.publicUrl, approval.token), rel: 'approve', method: 'GET' },
      ...subscriptionLinks(call, object),
    ],
  }
}

function refusePlan(wanted: Plan, plan: Plan): void {
  if (wanted.productId !== plan.productId) {
    const description = 'The old and the new plan must be of the same product.'
    throw impossible('PLAN_PRODUCT_NOT_COMPATIBLE', description, '/plan_id')
  }
  if (wanted.status !== 'ACTIVE') throw impossible('PLAN_STATUS_INVALID', 'The plan is not active.', '/plan_id')
  if (wanted.currency !== plan.currency) {
    throw impossible('CURRENCY_MISMATCH', 'The currency is not that of the old plan.', '/plan_id')
  }
}

/** The buyer has approved: the subscription begins, or its revision counts from the next cycle on. */
export function approveSubscription(
  call: Call,
  billed: Billed,
  { buyer, hasFunds }: { buyer: Buyer; hasFunds: boolean },
): Promise<Subscription> {
  const { approval } = billed.subscription
  const answered = approval && { ...approval, isApproved: true }
  // An approval fills no account.
  const canPay = billed.subscription.hasFunds && hasFunds
  const approved = { ...billed, subscription: { ...billed.subscription, buyer, hasFunds: canPay, approval: answered } }
  if (approval?.revision) return applyRevision(call, approved.subscription, approval.revision)
  return approval?.context.isContinue ? waitForMerchant(call, approved.subscription) : startBilling(call, approved)
}

/** The merchant asked to activate the subscription itself. */
async function waitForMerchant(call: Call, subscription: Subscription): Promise<Subscription> {
  const now = call.now.toISOString()
  const object = { ...subscription, status: 'APPROVED', statusUpdatedAt: now, updatedAt: now } as const
  await save(call.tx, { kind: 'subscription', object })
  return object
}

async function applyRevision(
  call: Call,
  subscription: Subscription,
  revision: NonNullable<NonNullable<Subscription['approval']>['revision']>,
): Promise<Subscription> {
  const { planId } = revision
  const plan = await billedPlan(call.tx, revision)
  if (!plan) throw notFound()
  // A trial is for new subscribers.
  const trials = plan.cycles.filter(({ tenure }) => tenure === 'TRIAL')
  const completed =
    planId === subscription.planId
      ? subscription.completed
      : Object.fromEntries(trials.map(({ sequence, totalCycles }) => [sequence, totalCycles]))
  const updatedAt = call.now.toISOString()
  const { override: _before, ...kept } = subscription
  const object = { ...kept, ...revision, completed, updatedAt }
  await save(call.tx, { kind: 'subscription', object })
  await subscriptionEvent(call, 'BILLING.SUBSCRIPTION.UPDATED', { subscription: object, plan })
  return object
}
