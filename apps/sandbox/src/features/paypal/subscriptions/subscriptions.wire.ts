import { emitEvent } from '../events/events.writes.ts'
import { finalPaymentTime, nextCycle, priceAt } from '../plans/plans.rules.ts'
import { planTerms } from '../plans/plans.wire.ts'
import type { Plan, Subscription } from '../store/stored.ts'
import type { Call, Reading } from '../wire/call.ts'
import { wireTime } from '../wire/ids.rules.ts'
import { billingMoney } from '../wire/money.rules.ts'

export const subscriptionsPath = '/v1/billing/subscriptions'

/** The minimal answer to its creation. */
export function shortSubscription(call: Reading, subscription: Subscription) {
  return {
    status: subscription.status,
    id: subscription.id,
    create_time: wireTime(subscription.createdAt),
    links: subscriptionLinks(call, subscription),
  }
}

/** @param fields further parts: `plan`, `last_failed_payment` */
export function wireSubscription(
  call: Reading,
  { subscription, plan, fields = [] }: { subscription: Subscription; plan: Plan; fields?: readonly string[] },
) {
  const { currency, status, buyer } = subscription
  return {
    status,
    ...(subscription.statusNote !== null && { status_change_note: subscription.statusNote }),
    status_update_time: wireTime(subscription.statusUpdatedAt),
    id: subscription.id,
    plan_id: subscription.planId,
    start_time: wireTime(subscription.startTime),
    quantity: subscription.quantity,
    shipping_amount: billingMoney({ amount: 0, currency }),
    subscriber: buyer ? subscriberOf(buyer) : {},
    // Shown once it was active.
    ...(!['APPROVAL_PENDING', 'APPROVED'].includes(status) && {
      billing_info: billingInfo(subscription, plan, fields.includes('last_failed_payment')),
    }),
    create_time: wireTime(subscription.createdAt),
    update_time: wireTime(subscription.updatedAt),
    ...(subscription.customId !== null && { custom_id: subscription.customId }),
    plan_overridden: subscription.override !== undefined,
    ...(fields.includes('plan') && {
      plan: { product_id: plan.productId, name: plan.name, ...planTerms(plan) },
    }),
    links: subscriptionLinks(call, subscription),
  }
}

function subscriberOf({ email, payerId, givenName, surname }: NonNullable<Subscription['buyer']>) {
  return { email_address: email, payer_id: payerId, name: { given_name: givenName, surname } }
}

function billingInfo(subscription: Subscription, plan: Plan, hasFailure: boolean) {
  const { currency, lastPayment, lastFailure, nextBillingAt } = subscription
  const isBilled = subscription.status === 'ACTIVE' && nextCycle(plan, subscription.completed) !== undefined
  const finalTime = isBilled ? finalPaymentTime(plan, subscription) : undefined
  return {
    outstanding_balance: billingMoney({ amount: subscription.outstanding, currency }),
    cycle_executions: plan.cycles.map((cycle) => {
      const completed = subscription.completed[cycle.sequence] ?? 0
      return {
        tenure_type: cycle.tenure,
        sequence: cycle.sequence,
        cycles_completed: completed,
        cycles_remaining: cycle.totalCycles === 0 ? 0 : cycle.totalCycles - completed,
        current_pricing_scheme_version:
          priceAt(cycle, subscription.createdAt, new Date(nextBillingAt ?? subscription.updatedAt))?.version ?? 1,
        total_cycles: cycle.totalCycles,
      }
    }),
    ...(lastPayment && {
      last_payment: { amount: billingMoney({ amount: lastPayment.amount, currency }), time: wireTime(lastPayment.at) },
    }),
    ...(isBilled && nextBillingAt !== null && { next_billing_time: wireTime(nextBillingAt) }),
    ...(finalTime && { final_payment_time: wireTime(finalTime) }),
    failed_payments_count: subscription.failedPayments,
    ...(hasFailure &&
      lastFailure && {
        last_failed_payment: {
          amount: billingMoney({ amount: lastFailure.amount, currency }),
          time: wireTime(lastFailure.at),
          reason_code: 'PAYER_CANNOT_PAY',
          ...(lastFailure.nextRetryAt !== null && { next_payment_retry_time: wireTime(lastFailure.nextRetryAt) }),
        },
      }),
  }
}

const actions = {
  APPROVAL_PENDING: [],
  APPROVED: ['activate'],
  ACTIVE: ['cancel', 'suspend', 'capture'],
  SUSPENDED: ['activate', 'cancel', 'capture'],
  CANCELLED: [],
  EXPIRED: ['capture'],
} as const

export function subscriptionLinks({ publicUrl }: Reading, { id, status, approval }: Subscription) {
  const href = `${publicUrl}${subscriptionsPath}/${id}`
  const isOpen = status !== 'CANCELLED' && status !== 'EXPIRED'
  return [
    ...(status === 'APPROVAL_PENDING' && approval
      ? [{ href: approvalLink(publicUrl, approval.token), rel: 'approve', method: 'GET' }]
      : []),
    ...(isOpen ? [{ href, rel: 'edit', method: 'PATCH' }] : []),
    { href, rel: 'self', method: 'GET' },
    ...actions[status].map((action) => ({ href: `${href}/${action}`, rel: action, method: 'POST' })),
  ]
}

/** The page on which the buyer approves. */
export function approvalLink(publicUrl: string, token: string): string {
  return `${publicUrl}/paypal/approve?ba_token=${token}`
}

const summaries = {
  'BILLING.SUBSCRIPTION.CREATED': 'Subscription created',
  'BILLING.SUBSCRIPTION.ACTIVATED': 'Subscription activated',
  'BILLING.SUBSCRIPTION.UPDATED': 'Subscription updated',
  'BILLING.SUBSCRIPTION.SUSPENDED': 'Subscription suspended',
  'BILLING.SUBSCRIPTION.CANCELLED': 'Subscription cancelled',
  'BILLING.SUBSCRIPTION.EXPIRED': 'Subscription expired',
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED': 'Payment failed for subscription',
} as const

export function subscriptionEvent(
  call: Call,
  type: keyof typeof summaries,
  { subscription, plan }: { subscription: Subscription; plan: Plan },
): Promise<void> {
  return emitEvent(call, {
    type,
    resourceType: 'subscription',
    resourceVersion: '2.0',
    summary: summaries[type],
    resource: wireSubscription(call, { subscription, plan, fields: ['last_failed_payment'] }),
  })
}
