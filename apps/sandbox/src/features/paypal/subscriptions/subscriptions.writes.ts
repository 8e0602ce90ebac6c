import type { z } from 'zod'
import { billedPlan, overrideOf } from '../plans/plan-override.ts'
import { nextCycle, periodEnd } from '../plans/plans.rules.ts'
import { find, findLocked, save } from '../store/store.ts'
import type { Plan, Subscription, SubscriptionStatus } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { newId } from '../wire/ids.rules.ts'
import { impossible, invalidRequest, notFound } from '../wire/refusal.ts'
import { type Billed, changeStatus, isOverThreshold, startBilling } from './billing.writes.ts'
import type { NewSubscription } from './subscriptions.parameters.ts'
import { subscriptionEvent } from './subscriptions.wire.ts'

/** @throws Refusal 404 for an unknown plan, 422 for one that is not active or has no quantities */
export async function createSubscription(call: Call, given: z.output<typeof NewSubscription>): Promise<Billed> {
  const base = await find(call.tx, 'plan', given.plan_id)
  if (!base) throw notFound()
  const override = given.plan && overrideOf(base, given.plan, call.now.toISOString())
  const plan = { ...base, ...override }
  if (plan.status !== 'ACTIVE') throw impossible('PLAN_STATUS_INVALID', 'The plan is not active.', '/plan_id')
  refuseQuantity(plan, given.quantity)
  if (given.start_time && given.start_time <= call.now) {
    const description = 'The start time is in the future.'
    throw invalidRequest([{ issue: 'INVALID_PARAMETER_VALUE', description, field: '/start_time', location: 'body' }])
  }
  const made = newSubscription(call.now.toISOString(), plan, given)
  const subscription = override ? { ...made, override } : made
  await save(call.tx, { kind: 'subscription', object: subscription })
  await subscriptionEvent(call, 'BILLING.SUBSCRIPTION.CREATED', { subscription, plan })
  return { subscription, plan }
}

function newSubscription(now: string, plan: Plan, given: z.output<typeof NewSubscription>): Subscription {
  const nowhere = { returnUrl: null, cancelUrl: null, brandName: null, isContinue: false }
  return {
    id: newId.subscription(),
    planId: plan.id,
    status: 'APPROVAL_PENDING',
    statusNote: null,
    statusUpdatedAt: now,
    startTime: given.start_time?.toISOString() ?? now,
    quantity: given.quantity,
    customId: given.custom_id ?? null,
    currency: plan.currency,
    buyer: null,
    approval: {
      token: newId.approval(),
      context: given.application_context ?? nowhere,
      revision: null,
      isApproved: false,
    },
    completed: {},
    nextBillingAt: null,
    retry: null,
    outstanding: 0,
    failedPayments: 0,
    lastPayment: null,
    lastFailure: null,
    hasFunds: true,
    createdAt: now,
    updatedAt: now,
  }
}

/** @throws Refusal 422 if the plan is not sold by quantity */
export function refuseQuantity(plan: Plan, quantity: string): void {
  if (plan.isQuantitySupported || quantity === '1') return
  throw impossible('SUBSCRIPTION_CANNOT_HAVE_QUANTITY', 'The plan does not support quantities.', '/quantity')
}

/** @throws Refusal 404 */
export async function lockedSubscription(call: Call, id: string): Promise<Billed> {
  const subscription = await findLocked(call.tx, 'subscription', id)
  const plan = subscription && (await billedPlan(call.tx, subscription))
  if (!subscription || !plan) throw notFound()
  return { subscription, plan }
}

/** @throws Refusal 422 SUBSCRIPTION_STATUS_INVALID */
export function refuseStatus({ status }: Subscription, allowed: readonly SubscriptionStatus[], action: string): void {
  if (allowed.includes(status)) return
  const wanted = new Intl.ListFormat('en', { type: 'disjunction' }).format(allowed.map((one) => one.toLowerCase()))
  throw impossible('SUBSCRIPTION_STATUS_INVALID', `To ${action} a subscription, its status must be ${wanted}.`)
}

export async function suspend(call: Call, id: string, note: string): Promise<void> {
  const billed = await lockedSubscription(call, id)
  refuseStatus(billed.subscription, ['ACTIVE'], 'suspend')
  await changeStatus(call, billed, { status: 'SUSPENDED', note })
}

/** At once and final. */
export async function cancel(call: Call, id: string, note: string): Promise<void> {
  const billed = await lockedSubscription(call, id)
  refuseStatus(billed.subscription, ['ACTIVE', 'SUSPENDED'], 'cancel')
  const ended = { ...billed.subscription, approval: null, nextBillingAt: null, retry: null }
  await changeStatus(call, { ...billed, subscription: ended }, { status: 'CANCELLED', note })
}

/** Of an approved subscription billing begins; a suspended one goes on, without the cycles that were missed. */
export async function activate(call: Call, id: string, note: string | null): Promise<void> {
  const billed = await lockedSubscription(call, id)
  const { subscription, plan } = billed
  refuseStatus(subscription, ['APPROVED', 'SUSPENDED'], 'activate')
  if (subscription.status === 'APPROVED') {
    await startBilling(call, billed)
    return
  }
  if (isOverThreshold(billed)) {
    const description = 'Too many payments have failed: the outstanding balance must be captured first.'
    throw impossible('SUBSCRIPTION_CANNOT_BE_ACTIVATED', description)
  }
  await changeStatus(call, { subscription: resumed(billed, call.now), plan }, { status: 'ACTIVE', note })
}

function resumed({ subscription, plan }: Billed, now: Date): Subscription {
  const { retry, nextBillingAt } = subscription
  if (retry)
    return new Date(retry.at) > now ? subscription : { ...subscription, retry: { ...retry, at: now.toISOString() } }
  const cycle = nextCycle(plan, subscription.completed)
  let next = new Date(nextBillingAt ?? now)
  while (cycle && next <= now) next = periodEnd(next, cycle.frequency, subscription)
  return { ...subscription, nextBillingAt: next.toISOString() }
}
