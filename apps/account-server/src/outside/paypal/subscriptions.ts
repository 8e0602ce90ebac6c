import { z } from 'zod'
import type { CallPaypal } from './client.ts'
import { Money, minorUnits } from './money.rules.ts'
import { type Interval, PlanTerms, regularPrice } from './plans.ts'

const Instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

const Billing = z.object({
  outstanding_balance: Money.optional(),
  cycle_executions: z.array(z.object({ tenure_type: z.string(), cycles_completed: z.number() })).default([]),
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
  quantity: number
  /** What the merchant wrote to it: a member's id, or the address that a shop asked for. */
  customId: string
  payer: { email: string; name: string }
  createdAt: Date
  startsAt: Date
  changedAt: Date
  /** Of one unit in every interval, in minor units. */
  amount: number | null
  currency: string
  interval: Interval | null
  /** Whether PayPal adds a tax to the price. */
  hasTaxOnTop: boolean
  /** Whether only cycles of a trial have begun. */
  isTrial: boolean
  /** Whether a cycle of a trial has begun. */
  hadTrial: boolean
  lastPaidAt: Date | null
  nextBillingAt: Date | null
  /** The last payment failed, and nothing was paid since. */
  failure: FailedPayment | null
}

const path = '/v1/billing/subscriptions'
const fields = 'plan,last_failed_payment'
const pageSize = 20

/** Subscriptions of PayPal. */
export function paypalSubscriptionCalls(call: CallPaypal) {
  const readSubscription = async (id: string): Promise<PaypalSubscription> =>
    subscriptionFrom(await call({ method: 'GET', path: `${path}/${id}`, query: { fields } }, Wire))

  return {
    readSubscription,

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

function subscriptionFrom(wire: z.output<typeof Wire>): PaypalSubscription {
  const { billing_info: billing, subscriber, plan } = wire
  const name = [subscriber?.name?.given_name, subscriber?.name?.surname].filter(Boolean).join(' ')
  return {
    id: wire.id,
    planId: wire.plan_id,
    productId: plan?.product_id ?? '',
    planName: plan?.name ?? '',
    status: wire.status,
    quantity: Math.max(1, Number.parseInt(wire.quantity, 10) || 1),
    customId: wire.custom_id,
    payer: { email: subscriber?.email_address ?? '', name },
    createdAt: wire.create_time,
    startsAt: wire.start_time ?? wire.create_time,
    changedAt: wire.status_update_time ?? wire.create_time,
    ...(plan ? regularPrice(plan) : { amount: null, currency: '', interval: null }),
    hasTaxOnTop: plan?.taxes?.inclusive === false && Number(plan.taxes.percentage) > 0,
    isTrial: isInTrial(billing),
    hadTrial: begunTenures(billing).includes('TRIAL'),
    lastPaidAt: billing?.last_payment?.time ?? null,
    nextBillingAt: billing?.next_billing_time ?? null,
    failure: failureIn(billing),
  }
}

type BillingInfo = z.output<typeof Billing> | undefined

function isInTrial(billing: BillingInfo): boolean {
  const begun = begunTenures(billing)
  return begun.length > 0 && begun.every((tenure) => tenure === 'TRIAL')
}

function begunTenures(billing: BillingInfo): string[] {
  const begun = (billing?.cycle_executions ?? []).filter(({ cycles_completed: completed }) => completed > 0)
  return begun.map(({ tenure_type: tenure }) => tenure)
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
