import { isDeepStrictEqual } from 'node:util'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { lockCoupon } from '../../coupons/usable-coupon.ts'
import { takenBackPayments } from '../../orders/orders.queries.ts'
import { declined } from '../../payments/declines.rules.ts'
import { type Operation, operation } from '../../payments/operations/definition.ts'
import { unresolvedOf } from '../../payments/operations/operations.queries.ts'
import { isFresh } from '../../payments/operations/operations.rules.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { codes } from '../change-outcome.ts'
import { emailChangeNotMade } from '../plan-change/change-not-made.email.ts'
import { couponUse, type Quotable } from '../plan-change/change-price.ts'
import { quotableChange } from '../plan-change/change-quotes.service.ts'
import { type ChangeQuoteRow, changeQuotes } from '../plan-change/change-quotes.tables.ts'
import { giveUpChange } from '../plan-change/give-up-change.operations.ts'
import { givenUpProblem } from '../plan-change/open-change.rules.ts'
import { spendingCredit } from '../plan-change/plan-change.operations.ts'
import { versionOf } from '../plan-change/plan-change.rules.ts'
import { isAsShown } from '../plan-change/quote-amounts.rules.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { type Charged, chargeTerm } from './charge-term.ts'
import { type AskedRenewal, type RenewalFacts, readRenewal } from './read-renewal.ts'
import { Renewal, RenewalOutcome } from './renewal.input.ts'
import { isAsPaid, renewedPeriod } from './renewal.rules.ts'
import { extendTerm } from './renewal.writes.ts'
import { takeBack } from './take-back.ts'

/** Milliseconds that the customer has for the bank's question. */
const answerMs = 23 * 3_600_000

/** Renews a prepaid term: one invoice is paid, and its end moves by a year. A payment that does not succeed changes nothing. */
export const renewTerm = operation({
  kind: 'subscription.renew',
  provider: 'card',
  input: Renewal,
  codes,
  excludesRunning: spendingCredit,
  subjectOf: ({ sid }: AskedRenewal) => sid,
  read: readRenewal,

  async decide(tx, { deps, member, asked, facts }) {
    const open = await openRenewal(tx, member, asked.sid)
    if (open && isSamePayment(open, asked, facts)) return { is: 'same', operationId: open.id }
    if (open) throw new Problem(codes.excluded, { retryAfter: 5 })
    const quotable = await quotableChange(tx, deps, member, { sid: asked.sid, asked: asked.asked })
    const { quote, customerId = '', preview, coupon } = facts
    if (!quote) throw new Problem('quote_changed')
    const paymentMethodId = asked.paymentMethodId || preview?.card?.id || ''
    if (paymentMethodId === '' && quote.shown.chargeAmount > 0) throw new Problem('card_required')
    if (!preview || quote.validUntil <= deps.clock()) throw new Problem('quote_changed')
    if (!isAsShown(quote, preview, asked)) throw new Problem('quote_changed')
    if (!isAsQuoted(quote, quotable)) throw new Problem('quote_changed')
    const discount = quote.discount ?? undefined
    if (discount) await lockCoupon(tx, deps, member, { coupon, ...couponUse(quotable, discount.couponCode) })
    await claim(tx, quote)
    const input: Renewal = {
      ...{ quoteId: quote.id, customerId, paymentMethodId, chargeAmount: quote.shown.chargeAmount },
      ...{ items: [...quote.items], price: quote.shown.after.price, discount, couponCode: coupon?.code },
      ...{ currency: quote.shown.currency, isTaxed: facts.isTaxed, paidFor: quantitiesOf(quotable.listed) },
      endsBefore: { cancelAt: quotable.listed.cancelAt, endedAt: quotable.listed.endedAt },
      ...renewedPeriod(quotable.listed),
    }
    return { is: 'new', subject: asked.sid, input }
  },

  call: chargeTerm,

  async find(deps, row): Promise<Charged | undefined> {
    const { id, objectId, status, input } = row
    const { cards } = deps
    const payment = await (objectId ? ifKnown(cards.readPrepaid(objectId)) : cards.findPrepaid(input.customerId, id))
    if (!payment) return undefined
    if (payment.state === 'requires_action' && !(await isStillAsPaid(deps.db, row))) {
      return { payment: await takeBack(cards, payment.invoiceId), isOutdated: true }
    }
    // After the bank's question there is none any more: it was answered with no, or the vendor has taken the invoice back.
    if (status === 'requires_action') return { payment }
    if (payment.state !== 'untried' && payment.state !== 'void') return { payment }
    // A request may still be about to pay it.
    if (isFresh(row, deps.wallClock())) return undefined
    const left = payment.state === 'void' ? payment : await takeBack(cards, payment.invoiceId)
    return left.state === 'paid' ? { payment: left } : undefined
  },

  async apply(tx, row, { deps, found: { payment, isOther, isOutdated, isAbandoned }, now }) {
    const { state, invoiceId, clientSecret, charged } = payment
    const made = { objectId: invoiceId, result: { invoiceId, clientSecret: '' } }
    if (state === 'paid') {
      const { chargeAmount: shown } = row.input
      if (charged !== shown) {
        deps.logger.error({ operationId: row.id, invoiceId, charged, shown }, 'charged other than shown')
      }
      // It was given back before this was heard of.
      if ((await takenBackPayments(tx, [invoiceId])).has(invoiceId)) {
        return { status: 'failed', problem: 'change_not_possible', ...made }
      }
      const extended = await extendTerm(tx, deps, row)
      return { status: 'succeeded', ...made, result: { ...made.result, extended } }
    }
    if (isOther) return { status: 'failed', problem: 'quote_changed', ...made }
    if (isOutdated) {
      await emailChangeNotMade(deps, tx, row)
      return { status: 'failed', problem: 'change_not_possible', ...made }
    }
    if (isAbandoned) {
      await emailChangeNotMade(deps, tx, row)
      return { status: 'canceled', problem: givenUpProblem(row, now), ...made }
    }
    if (state === 'requires_action') {
      const givesUpAt = new Date(now.getTime() + answerMs)
      return { status: 'requires_action', ...made, result: { invoiceId, clientSecret }, givesUpAt }
    }
    const refused = { ...declined(payment), ...made }
    // Nobody pays it later.
    return state === 'void' ? refused : { ...refused, next: [voiding(row, invoiceId)] }
  },

  refuse(failure) {
    if (failure.kind === 'unavailable') return { status: 'failed', problem: codes.unavailable }
    if (failure.kind === 'refused') return declined(failure)
    return { status: 'failed', problem: 'change_not_possible' }
  },

  async giveUp({ cards }, { result }): Promise<Charged> {
    return { payment: await takeBack(cards, RenewalOutcome.parse(result).invoiceId), isAbandoned: true }
  },
})

function quantitiesOf({ productCode, userCount, storageCapacity, connectors }: Quotable['listed']) {
  return { productCode, userCount, storageCapacity, connectors }
}

async function isStillAsPaid(db: Reader, operation: Operation<Renewal>): Promise<boolean> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, operation.subject))
  return row !== undefined && isAsPaid(row, operation)
}

async function openRenewal(tx: Tx, member: Member, sid: string): Promise<OperationRow | undefined> {
  const open = await unresolvedOf(tx, member, { kinds: ['subscription.renew'] })
  return open.find(({ subject }) => subject === sid)
}

/** A second click, a second page, or the bank's question once more: the same amount, by the same card. */
function isSamePayment({ input }: OperationRow, { paymentMethodId }: AskedRenewal, { quote, preview }: RenewalFacts) {
  const open = Renewal.parse(input)
  const card = paymentMethodId || preview?.card?.id
  const { chargeAmount, currency } = quote?.shown ?? {}
  return card === open.paymentMethodId && chargeAmount === open.chargeAmount && currency === open.currency
}

/** Whether the subscription and its prices are those of the quote. */
function isAsQuoted({ version, items }: ChangeQuoteRow, { listed, plan }: Quotable): boolean {
  return version === versionOf(listed) && isDeepStrictEqual(items, plan.items)
}

/** A quote is used once. */
async function claim(tx: Tx, { id }: ChangeQuoteRow): Promise<void> {
  const claimed = await tx
    .update(changeQuotes)
    .set({ operationId: id })
    .where(and(eq(changeQuotes.id, id), isNull(changeQuotes.operationId)))
    .returning({ id: changeQuotes.id })
  if (claimed.length === 0) throw new Problem('quote_changed')
}

function voiding({ subject }: Pick<OperationRow, 'subject'>, invoiceId: string) {
  return { definition: giveUpChange, plan: { subject, input: { invoiceId }, objectId: invoiceId } }
}
