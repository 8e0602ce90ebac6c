import { createSale } from '../payments/sales.writes.ts'
import { chargeOf, cycleAfter, nextCycle, periodEnd, taxOn } from '../plans/plans.rules.ts'
import { save } from '../store/store.ts'
import type { Cycle, Plan, Subscription, SubscriptionStatus } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { subscriptionEvent } from './subscriptions.wire.ts'

/** A payment that fails is tried again every five days, at most twice in a cycle. */
const retryMs = 5 * 24 * 3_600_000
const mostRetries = 2

export interface Billed {
  subscription: Subscription
  plan: Plan
}

/** Saves a change of status with its event. */
export async function changeStatus(
  call: Call,
  { subscription, plan }: Billed,
  {
    status,
    note = null,
  }: { status: Exclude<SubscriptionStatus, 'APPROVAL_PENDING' | 'APPROVED'>; note?: string | null },
): Promise<Subscription> {
  const now = call.now.toISOString()
  const type = `BILLING.SUBSCRIPTION.${status === 'ACTIVE' ? 'ACTIVATED' : status}` as const
  const changed = { ...subscription, status, statusNote: note, statusUpdatedAt: now, updatedAt: now }
  await save(call.tx, { kind: 'subscription', object: changed })
  await subscriptionEvent(call, type, { subscription: changed, plan })
  return changed
}

/** Activates a subscription: the setup fee is charged now, the first cycle when it starts. */
export async function startBilling(call: Call, { subscription, plan }: Billed): Promise<Subscription> {
  const now = call.now.toISOString()
  const started = { ...subscription, status: 'ACTIVE', statusUpdatedAt: now, updatedAt: now } as const
  const afterFee = await chargeSetupFee(call, { subscription: started, plan })
  if (afterFee.status === 'CANCELLED') return afterFee

  const isFuture = new Date(subscription.startTime) > call.now
  const first = { ...afterFee, nextBillingAt: isFuture ? subscription.startTime : now }
  const billed = isFuture ? first : await billCycle(call, { subscription: first, plan })
  return changeStatus(call, { subscription: billed, plan }, { status: 'ACTIVE' })
}

async function chargeSetupFee(call: Call, { subscription, plan }: Billed): Promise<Subscription> {
  const fee = plan.setupFee + taxOn(plan, plan.setupFee)
  if (fee === 0) return subscription
  if (subscription.hasFunds) {
    await createSale(call, subscription, fee)
    return { ...subscription, lastPayment: { amount: fee, at: call.now.toISOString() } }
  }
  const failed = {
    ...subscription,
    lastFailure: { amount: fee, at: call.now.toISOString(), nextRetryAt: null },
    outstanding: subscription.outstanding + fee,
  }
  await subscriptionEvent(call, 'BILLING.SUBSCRIPTION.PAYMENT.FAILED', { subscription: failed, plan })
  return plan.setupFeeFailureAction === 'CANCEL'
    ? changeStatus(call, { subscription: failed, plan }, { status: 'CANCELLED' })
    : failed
}

/** Charges the cycle that is due, or tries again to; at the end of the last one the subscription expires. */
export async function billDue(call: Call, { subscription, plan }: Billed): Promise<void> {
  if (!nextCycle(plan, subscription.completed)) {
    await changeStatus(call, { subscription: { ...subscription, nextBillingAt: null }, plan }, { status: 'EXPIRED' })
    return
  }
  const billed = await billCycle(call, { subscription, plan })
  await save(call.tx, { kind: 'subscription', object: billed })
  await subscriptionEvent(call, 'BILLING.SUBSCRIPTION.UPDATED', { subscription: billed, plan })
  if (isOverThreshold({ subscription: billed, plan })) {
    await changeStatus(call, { subscription: billed, plan }, { status: 'SUSPENDED' })
  }
}

/** Whether so many payments failed in a row that the plan suspends the subscription. */
export function isOverThreshold({ subscription, plan }: Billed): boolean {
  return plan.failureThreshold > 0 && subscription.failedPayments >= plan.failureThreshold
}

async function billCycle(call: Call, { subscription, plan }: Billed): Promise<Subscription> {
  const cycle = nextCycle(plan, subscription.completed)
  if (!cycle) return subscription
  const dueAt = new Date(subscription.nextBillingAt ?? call.now)
  const charge = subscription.retry?.amount ?? chargeOf(plan, cycle, subscription, dueAt)
  const carried = plan.autoBillOutstanding ? subscription.outstanding : 0
  const due = { call, billed: { subscription, plan }, cycle, dueAt, charge, total: charge + carried }
  if (due.total > 0 && !subscription.hasFunds) return failCycle(due)
  if (due.total === 0) return completeCycle(due, {})

  await createSale(call, subscription, due.total)
  return completeCycle(due, {
    outstanding: subscription.outstanding - carried,
    failedPayments: 0,
    lastPayment: { amount: due.total, at: call.now.toISOString() },
  })
}

interface Due {
  call: Call
  billed: Billed
  cycle: Cycle
  dueAt: Date
  /** Of the cycle alone. */
  charge: number
  /** With the outstanding balance. */
  total: number
}

function completeCycle(
  { call, billed: { subscription }, cycle, dueAt }: Due,
  change: Partial<Subscription>,
): Subscription {
  const { sequence, frequency } = cycle
  return {
    ...subscription,
    ...change,
    completed: { ...subscription.completed, [sequence]: (subscription.completed[sequence] ?? 0) + 1 },
    ...cycleAfter(dueAt, frequency, subscription),
    retry: null,
    updatedAt: call.now.toISOString(),
  }
}

/** Until the retries are used up, the cycle stays due; then its charge is outstanding, and one more payment has failed. */
async function failCycle(due: Due): Promise<Subscription> {
  const { call, billed, cycle, dueAt, charge, total } = due
  const { subscription, plan } = billed
  const attempts = (subscription.retry?.attempts ?? 0) + 1
  const retryAt = new Date(call.now.getTime() + retryMs)
  const isRetried = attempts <= mostRetries && retryAt < periodEnd(dueAt, cycle.frequency, subscription)
  const lastFailure = {
    amount: total,
    at: call.now.toISOString(),
    nextRetryAt: isRetried ? retryAt.toISOString() : null,
  }
  const failed = isRetried
    ? {
        ...subscription,
        lastFailure,
        retry: { amount: charge, attempts, at: retryAt.toISOString() },
        updatedAt: call.now.toISOString(),
      }
    : completeCycle(due, {
        lastFailure,
        outstanding: subscription.outstanding + charge,
        failedPayments: subscription.failedPayments + 1,
      })
  await subscriptionEvent(call, 'BILLING.SUBSCRIPTION.PAYMENT.FAILED', { subscription: failed, plan })
  return failed
}
