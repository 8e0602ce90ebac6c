import type { PaypalReturnType } from '@atrium/contract/plan-changes.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { nextSyncNumber } from '../../../db/sync-numbers.queries.ts'
import type { Deps } from '../../../deps.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import type { Coupon } from '../../coupons/coupons.rules.ts'
import { findCoupon, lockCoupon } from '../../coupons/usable-coupon.ts'
import { type AnyDefinition, type Operation, operation } from '../../payments/operations/definition.ts'
import { turnOffRenewal, turnOnRenewal } from '../auto-renewal/auto-renewal.operations.ts'
import { codes } from '../change-outcome.ts'
import { syncPaypalSubscription } from '../paypal-subscriptions.sync.ts'
import { emailChangeNotMade } from '../plan-change/change-not-made.email.ts'
import { couponUse } from '../plan-change/change-price.ts'
import { quotableChange } from '../plan-change/change-quotes.service.ts'
import { type AskedChange, type ChangeQuoteRow, changeQuotes } from '../plan-change/change-quotes.tables.ts'
import { isTimeUp } from '../plan-change/open-change.rules.ts'
import { versionOf } from '../plan-change/plan-change.rules.ts'
import { isSameChange } from '../plan-change/quote-amounts.rules.ts'
import { applyReadingIn } from '../projection.writes.ts'
import { liveProjection } from '../projection-deps.ts'
import { subscriptionOfMember } from '../subscription-list.queries.ts'
import { accessNow } from '../subscriptions.rules.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { boughtInPeriod } from './bought-in-period.queries.ts'
import { OrderedChange, OrderOutcome } from './ordered-change.ts'
import { proveByPayment } from './paying-account.ts'
import { amountsAtPaypal, linesAtPaypal, renewalAtPaypal } from './paypal-amounts.rules.ts'
import { grantOf, grantReading, keptReading } from './paypal-grant.rules.ts'
import { type Ordered, takePayment } from './take-payment.ts'

interface Asked {
  sid: string
  quoteId: string
  asked: AskedChange
  /** As the customer saw it; undefined: not said. */
  discount: number | undefined
}

interface Facts {
  /** The member's quote for this subscription; undefined: there is none. */
  quote: ChangeQuoteRow | undefined
  /** As it is now; undefined: none is used. */
  coupon: Coupon | undefined
}

/** For how long PayPal keeps an approval. */
const approvalMs = 3 * 3_600_000

/**
 * Changes what is subscribed to at PayPal: the customer approves an order of what the quote showed, it is captured, and what was bought is
 * granted until the end of the period. From then on PayPal bills the changed plan, once the customer confirms that as well.
 */
export const changeByOrder = operation({
  kind: 'subscription.change_by_order',
  provider: 'paypal',
  input: OrderedChange,
  codes,
  excludes: changesAtPaypal,
  subjectOf: ({ sid }: Asked) => sid,
  async read(deps, member, { sid, quoteId }: Asked): Promise<Facts> {
    const { id, memberId, subscriptionId } = changeQuotes
    const isTheirs = and(eq(id, quoteId), eq(memberId, member.id), eq(subscriptionId, sid))
    const [quote] = await deps.db.select().from(changeQuotes).where(isTheirs)
    if (!quote) return { quote, coupon: undefined }
    const listed = await subscriptionOfMember(deps.db, member, { id: sid, access: accessNow(deps) })
    // So that it is decided from what PayPal has now.
    if (listed?.channel === 'paypal' && listed.providerId) await syncPaypalSubscription(deps, listed.providerId)
    return { quote, coupon: quote.discount ? await findCoupon(deps, quote.discount.couponCode) : undefined }
  },
  async decide(tx, { deps, member, asked, facts: { quote, coupon } }) {
    const quotable = await quotableChange(tx, deps, member, { sid: asked.sid, asked: asked.asked })
    const { listed, plan } = quotable
    const { periodEnd } = listed
    if (!quote || periodEnd === null || quote.version !== versionOf(listed) || quote.validUntil <= deps.clock()) {
      throw new Problem('quote_changed')
    }
    const { prorationDate, discount, shown } = quote
    const lines = linesAtPaypal({ listed, plan, prorationDate })
    const amounts = amountsAtPaypal(lines, discount?.amount ?? 0)
    const renewal = renewalAtPaypal({ listed, plan, prorationDate })
    if (!isAsShown(quote, { ...amounts, renewal: renewal.amount }, asked)) throw new Problem('quote_changed')
    if (discount) await lockCoupon(tx, deps, member, { coupon, ...couponUse(quotable, discount.couponCode) })
    const { id, operationId } = changeQuotes
    const unused = and(eq(id, quote.id), isNull(operationId))
    const claimed = await tx.update(changeQuotes).set({ operationId: quote.id }).where(unused).returning({ id })
    if (claimed.length === 0) throw new Problem('quote_changed')
    const input = {
      ...{ providerId: listed.providerId ?? '', quoteId: quote.id, version: quote.version, periodEnd },
      ...{ amount: shown.chargeAmount, currency: shown.currency, lines: [...lines], discount: discount?.amount ?? 0 },
      ...(discount && { couponCode: coupon?.code }),
      ...{ description: plan.after.appName, granted: grantOf(quotable) },
    }
    return { is: 'new', subject: asked.sid, input, objectId: input.providerId }
  },
  call: (deps, { id, input }) => placeOrder(deps, { id, input }),
  /** An approved order is captured here, whoever hears of it first: PayPal takes the payment once. */
  async find(deps, change): Promise<Ordered | undefined> {
    const { orderId } = OrderOutcome.parse(change.result)
    if (orderId !== '') {
      const order = await ifKnown(deps.paypal.readOrder(orderId))
      return order && takePayment(deps, change, order)
    }
    // The answer was lost: PayPal answers the same request with the same order.
    return change.resolvedAt === null ? placeOrder(deps, change) : undefined
  },
  async apply(tx, change, { deps, found: { order, refused, isProof }, now }) {
    const { input, memberId } = change
    const stored = OrderOutcome.parse(change.result)
    const made = stored.orderId === '' && order ? { orderId: order.id, payee: order.payee } : {}
    const result = { ...stored, ...made, approveUrl: '', captureId: order?.capture?.id ?? '' }
    // One that gives way to another change is no news.
    if (refused === 'nothing_to_finish' && isTimeUp(change, now)) await emailChangeNotMade(deps, tx, change)
    if (refused) return { status: 'failed', problem: refused, result }
    if (order?.capture?.state === 'failed') return { status: 'failed', problem: 'payment_declined', result }
    if (order?.state === 'void') return { status: 'failed', problem: 'nothing_to_finish', result }
    const isPaid = order === null || order.capture?.state === 'paid'
    // What came when the period was over is given back at the next check.
    if (isPaid && (await grant(tx, deps, input))) {
      if (isProof) await proveByPayment(tx, { providerId: input.providerId, memberId, now })
      return { status: 'succeeded', result }
    }
    const givesUpAt = new Date(now.getTime() + approvalMs)
    const link = order?.capture ? '' : order?.approveLink || stored.approveUrl
    return { status: 'requires_action', result: { ...result, approveUrl: link }, givesUpAt }
  },
  refuse({ kind }) {
    return { status: 'failed', problem: kind === 'unavailable' ? codes.unavailable : 'change_not_possible' }
  },
  /**
   * What was not approved is not captured any more; PayPal forgets the order by itself. It counts as failed: if another process takes
   * the payment at this moment, that is what happened.
   */
  async giveUp(deps, change): Promise<Ordered> {
    const order = await deps.paypal.readOrder(OrderOutcome.parse(change.result).orderId)
    return order.capture ? takePayment(deps, change, order) : { order, refused: 'nothing_to_finish' }
  },
})

/** @returns whether the period is still the one that was paid */
async function grant(tx: Tx, deps: Deps, input: OrderedChange): Promise<boolean> {
  const { providerId, periodEnd } = subscriptions
  // The lock comes before the number: a reading of before does not undo what is granted.
  const [row] = await tx.select({ periodEnd }).from(subscriptions).where(eq(providerId, input.providerId)).for('update')
  if (row?.periodEnd?.getTime() !== input.periodEnd.getTime()) return false
  const before = await boughtInPeriod(tx, input)
  const syncNumber = await nextSyncNumber(tx)
  // The order may be from before something else was given back.
  const bought = before?.isLess && { ...before, kept: [...before.kept, input.granted] }
  const reading = bought
    ? keptReading({ providerId: input.providerId, bought, isMore: true }, syncNumber)
    : grantReading(input, syncNumber)
  await applyReadingIn(tx, liveProjection(deps), { ...reading, isGrant: true })
  return true
}

/** They exclude each other: each decides from the subscription as it is. */
function changesAtPaypal(): readonly AnyDefinition[] {
  return [changeByOrder, turnOffRenewal, turnOnRenewal]
}

type Change = Pick<Operation<OrderedChange>, 'id' | 'input'>

async function placeOrder({ paypal, config }: Deps, { id: operationId, input }: Change): Promise<Ordered> {
  const { amount, currency, description, providerId } = input
  if (amount === 0) return { order: null }
  const back = (type: PaypalReturnType) => {
    const url = new URL('/account', config.PUBLIC_URL)
    const way = { tab: 'my-subscriptions', stripe_subscription_id: providerId, discount_biz_type: type }
    url.search = String(new URLSearchParams(way))
    return url.href
  }
  const addresses = { returnUrl: back('change'), cancelUrl: back('change-canceled') }
  return { order: await paypal.createOrder({ operationId, amount, currency, description, ...addresses }) }
}

interface Costs extends ReturnType<typeof amountsAtPaypal> {
  /** What PayPal is to bill from the next period on, in minor units. */
  renewal: number
}

/** Whether it still costs what was shown, for what is asked. */
function isAsShown({ asked, shown }: ChangeQuoteRow, now: Costs, wanted: Asked): boolean {
  return (
    isSameChange(asked, wanted.asked) &&
    shown.discount === (wanted.discount ?? shown.discount) &&
    shown.discount === now.discount &&
    shown.subAmount === now.subAmount &&
    shown.chargeAmount === now.chargeAmount &&
    shown.nextRenewal?.amount === now.renewal
  )
}
