import { emailForm } from '@atrium/contract/email.ts'
import { plainLine } from '@atrium/contract/text.ts'
import { z } from 'zod'
import { ifKnown } from '../provider-failure.ts'
import { AccountId } from './account-id.ts'
import type { CallPaypal } from './client.ts'
import { Money, minorUnits } from './money.rules.ts'
import { besidePrice, feeOf, type LessThanPlan, lessThanPlan, noLess, PlanTerms, taxOf } from './plan-terms.rules.ts'
import { type Interval, type PlanTrial, regularPrice, trialsOf } from './plans.ts'
import { type PaypalPayment, paymentsOf } from './subscription-payments.ts'

const Instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

const Billing = z.object({
  outstanding_balance: Money.optional(),
  cycle_executions: z
    .array(
      z.object({
        ...{ tenure_type: z.string(), sequence: z.number().default(1), cycles_completed: z.number() },
        current_pricing_scheme_version: z.number().default(1),
      }),
    )
    .default([]),
  last_payment: z.object({ amount: Money, time: Instant }).optional(),
  next_billing_time: Instant.optional(),
  failed_payments_count: z.number().default(0),
  last_failed_payment: z
    .object({ amount: Money, time: Instant, next_payment_retry_time: Instant.optional() })
    .optional(),
})

const Wire = z.object({
  id: z.string(),
  plan_id: z.string(),
  status: z.string(),
  quantity: z.string().default('1'),
  custom_id: z.string().default(''),
  start_time: Instant.optional(),
  create_time: Instant,
  status_update_time: Instant.optional(),
  subscriber: z
    .object({
      email_address: z.string().default(''),
      name: z.object({ given_name: z.string().default(''), surname: z.string().default('') }).optional(),
    })
    .optional(),
  billing_info: Billing.optional(),
  plan_overridden: z.boolean().default(false),
  plan: PlanTerms.optional(),
})

/** A payment that PayPal could not collect. */
interface FailedPayment {
  /** Minor units. */
  amount: number
  at: Date
  nextAttemptAt: Date | null
}

/** A subscription as PayPal has it. */
export interface PaypalSubscription {
  id: string
  planId: string
  productId: string
  planName: string
  /** PayPal's: APPROVAL_PENDING, APPROVED, ACTIVE, SUSPENDED, CANCELLED, EXPIRED; later versions may have others. */
  status: string
  /** A whole number of what can be sold; null: PayPal has another. */
  quantity: number | null
  /** What was written to it by whoever created it: a member's id, or the address that a shop asked for. */
  customId: string
  payer: { email: string; name: string }
  createdAt: Date
  startsAt: Date
  changedAt: Date
  /** Of one unit in every interval, in minor units. */
  amount: number | null
  currency: string
  interval: Interval | null
  /** What PayPal adds to the price, in percent; 0: nothing, or the price includes it. */
  taxOnTop: number
  /** What is charged once when it is approved, in minor units. */
  setupFee: number
  /** Whether its creation changed terms of the plan: with a browser, that is the buyer's doing. */
  isOverridden: boolean
  /** What it asks for beside its price, in words for the operator; empty: nothing, or what its plan asks for. */
  besidePrice: string
  lessThanPlan: LessThanPlan
  /** The plan's trials, and how many of their cycles have begun. */
  trials: readonly (PlanTrial & { begun: number })[]
  /** Whether a cycle after the trials has begun. */
  isPastTrial: boolean
  /** Whether the price of the plan has been another before. */
  isRepriced: boolean
  /** Oldest first; those that failed, or were given back, too. */
  payments: readonly PaypalPayment[]
  lastPaidAt: Date | null
  nextBillingAt: Date | null
  /** The last payment failed, and nothing was paid since. */
  failure: FailedPayment | null
}

const path = '/v1/billing/subscriptions'
const plans = '/v1/billing/plans'
const fields = 'plan,last_failed_payment'
const pageSize = 20

/** Subscriptions of PayPal. */
export function paypalSubscriptionCalls(call: CallPaypal) {
  /**
   * The payments are read after it: they are at least as new. PayPal's specification does not say whether `plan` shows what was overridden
   * or the plan itself: what is not shown, or is not what was paid, grants nothing.
   */
  const readSubscription = async (id: string): Promise<PaypalSubscription> => {
    const wire = await call({ method: 'GET', path: `${path}/${id}`, query: { fields } }, Wire)
    const lastAt = wire.billing_info?.last_payment?.time ?? null
    // Before it was active there are none.
    const payments = wire.billing_info ? await paymentsOf(call, id, { since: wire.create_time, lastAt }) : []
    const plan = wire.plan_overridden
      ? await ifKnown(call({ method: 'GET', path: `${plans}/${wire.plan_id}` }, PlanTerms))
      : undefined
    const less = plan && wire.plan ? lessThanPlan(wire.plan, plan) : noLess
    return { ...subscriptionFrom(wire, payments), lessThanPlan: less }
  }

  return {
    readSubscription,

    /** PayPal's id of the account that pays for it. Empty: a card that was entered without one pays, or PayPal does not say. */
    async payingAccount(id: string): Promise<string> {
      const { subscriber } = await call({ method: 'GET', path: `${path}/${id}` }, Paying)
      return subscriber?.payment_source?.card ? '' : (subscriber?.payer_id ?? '')
    },

    /** A page of all subscriptions. A list lacks the terms of the plans, so each is read. @param page from 1 */
    async subscriptions(page: number): Promise<{ subscriptions: PaypalSubscription[]; hasMore: boolean }> {
      const query = { page: String(page), page_size: String(pageSize) }
      const { subscriptions: listed } = await call({ method: 'GET', path, query }, Listed)
      const subscriptions: PaypalSubscription[] = []
      for (const { id } of listed) subscriptions.push(await readSubscription(id))
      return { subscriptions, hasMore: listed.length === pageSize }
    },

    /** Stops billing until it is activated again; a cancellation would be final. PayPal refuses what is suspended already. */
    async suspendSubscription({ id, reason }: Reason): Promise<void> {
      await call({ method: 'POST', path: `${path}/${id}/suspend`, body: { reason } }, Nothing)
    },

    /** Bills it again from its next billing on. PayPal refuses what is active already. */
    async activateSubscription({ id, reason }: Reason): Promise<void> {
      await call({ method: 'POST', path: `${path}/${id}/activate`, body: { reason } }, Nothing)
    },

    /** Ends it at once and for good. PayPal refuses what is over already. */
    async cancelSubscription({ id, reason }: Reason): Promise<void> {
      await call({ method: 'POST', path: `${path}/${id}/cancel`, body: { reason } }, Nothing)
    },

    /**
     * Asks for the customer's approval of a plan and quantity from the next cycle on. Nothing changes until it is given.
     * @returns where the customer approves
     */
    async reviseSubscription({ id, planId, quantity, returnUrl }: Revision): Promise<string> {
      const context = { return_url: returnUrl, cancel_url: returnUrl }
      const body = { plan_id: planId, quantity: String(quantity), application_context: context }
      const { links } = await call({ method: 'POST', path: `${path}/${id}/revise`, body }, Links)
      return links.find(({ rel }) => rel === 'approve')?.href ?? ''
    },
  }
}

const Paying = z.object({
  subscriber: z
    .object({ payer_id: AccountId, payment_source: z.object({ card: z.unknown() }).partial().optional() })
    .optional(),
})

interface Reason {
  id: string
  /** For the vendor, who sees it at PayPal. */
  reason: string
}

const Nothing = z.object({})

interface Revision {
  id: string
  planId: string
  quantity: number
  /** Where the customer is sent afterwards. */
  returnUrl: string
}

const Listed = z.object({ subscriptions: z.array(z.object({ id: z.string() })).default([]) })
const Links = z.object({ links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]) })

function subscriptionFrom(wire: z.output<typeof Wire>, payments: readonly PaypalPayment[]) {
  const { billing_info: billing, subscriber, plan } = wire
  const name = [subscriber?.name?.given_name, subscriber?.name?.surname].filter(Boolean).join(' ')
  return {
    id: wire.id,
    planId: wire.plan_id,
    productId: plan?.product_id ?? '',
    planName: plainLine(plan?.name ?? ''),
    status: wire.status,
    quantity: wholeQuantity(wire.quantity),
    customId: wire.custom_id,
    payer: { email: emailForm(subscriber?.email_address ?? ''), name: plainLine(name) },
    createdAt: wire.create_time,
    startsAt: wire.start_time ?? wire.create_time,
    changedAt: wire.status_update_time ?? wire.create_time,
    ...(plan ? regularPrice(plan) : { amount: null, currency: '', interval: null }),
    taxOnTop: plan ? taxOf(plan).onTop : 0,
    setupFee: plan ? feeOf(plan) : 0,
    isOverridden: wire.plan_overridden,
    besidePrice: plan && wire.plan_overridden ? besidePrice(plan) : '',
    trials: plan ? trialsOf(plan).map((trial) => ({ ...trial, begun: begunOf(billing, trial.sequence) })) : [],
    isPastTrial: cyclesOf(billing).some(({ tenure_type: tenure, cycles_completed: n }) => tenure !== 'TRIAL' && n > 0),
    isRepriced: cyclesOf(billing).some((one) => one.tenure_type !== 'TRIAL' && one.current_pricing_scheme_version > 1),
    payments,
    lastPaidAt: billing?.last_payment?.time ?? null,
    nextBillingAt: billing?.next_billing_time ?? null,
    failure: failureIn(billing),
  }
}

type BillingInfo = z.output<typeof Billing> | undefined

function cyclesOf(billing: BillingInfo) {
  return billing?.cycle_executions ?? []
}

function begunOf(billing: BillingInfo, wanted: number): number {
  return cyclesOf(billing).find(({ sequence }) => sequence === wanted)?.cycles_completed ?? 0
}

/** The most that anybody can have of a subscription. */
const mostSeats = 100_000

/** PayPal takes decimals, and numbers of any size. */
function wholeQuantity(text: string): number | null {
  const quantity = Number(text)
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= mostSeats ? quantity : null
}

function failureIn(billing: BillingInfo): FailedPayment | null {
  const failed = billing?.last_failed_payment
  if (!billing || !failed || (billing.last_payment && billing.last_payment.time >= failed.time)) return null
  const outstanding = billing.outstanding_balance ? minorUnits(billing.outstanding_balance) : 0
  return {
    amount: Math.max(outstanding, minorUnits(failed.amount)),
    at: failed.time,
    nextAttemptAt: failed.next_payment_retry_time ?? null,
  }
}
