import type { ChangeQuote } from '@atrium/contract/change-quotes.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem, refusedField } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import type { BilledInvoice, BilledLine } from '../../../outside/billed-invoice.ts'
import { type AddedLines, type OnceOff, type PaidBefore, untaxed } from '../../../outside/card-provider/added-lines.ts'
import { chargeStep } from '../../../outside/card-provider/minor-units.ts'
import type { PayingCard } from '../../../outside/card-provider/plan-previews.ts'
import { paypalStep } from '../../../outside/paypal/money.rules.ts'
import { otherCurrency, ProviderFailure } from '../../../outside/provider-failure.ts'
import { productsOfLines } from '../../catalog/catalog.queries.ts'
import { productOfLine } from '../../catalog/line-products.rules.ts'
import { type Coupon, discountOf } from '../../coupons/coupons.rules.ts'
import { usableCoupon } from '../../coupons/usable-coupon.ts'
import { memberCard } from '../paying-card.ts'
import type { ListedSubscription } from '../subscription-list.queries.ts'
import type { AskedChange } from './change-quotes.tables.ts'
import { withKeptTime } from './kept-payments.queries.ts'
import { paidBefore } from './paid-before.rules.ts'
import type { PlannedChange } from './plan-change.rules.ts'
import { amountsOf, balanceAfter, sumsOf } from './quote-amounts.rules.ts'

/** A change of a subscription that the member owns, planned from what is stored. */
export interface Quotable {
  listed: ListedSubscription
  plan: PlannedChange
}

/** What a change costs. */
export interface ChangePrice {
  lines: readonly BilledLine[]
  amounts: ReturnType<typeof amountsOf>
  /** What its coupon takes off; null: none. */
  discount: OnceOff | null
  /** What the Owner before has paid of it. */
  paidBefore: readonly PaidBefore[]
  nextRenewal: ChangeQuote['nextRenewal']
  /** The card that pays; null: none. */
  card: PayingCard | null
}

export interface Pricing extends Quotable {
  asked: AskedChange
  /** The moment of the change, in whole seconds. */
  prorationDate: Date
}

/** Of the card provider's previews, in parallel. @throws Problem `change_not_possible`, `payment_provider_unavailable` */
export async function priceAtCard(deps: Deps, member: Member, pricing: Pricing): Promise<ChangePrice> {
  const { listed, plan, prorationDate } = pricing
  const change = { id: listed.providerId ?? '', items: plan.items, prorationDate }
  const [full, renewal] = await atProvider(() =>
    Promise.all([deps.cards.previewChange(change), deps.cards.previewRenewal(change)]),
  )
  const unbilled = await withKeptTime(deps.db, { row: listed, items: full.unbilled, prorationDate })
  const paid = paidBefore(unbilled, prorationDate)
  const preview = (added: AddedLines) => atProvider(() => deps.cards.previewChange({ ...change, ...added }))
  const unpaid = paid.length > 0 ? await preview({ paidBefore: paid }) : full
  const discount = await discountOn(deps, member, { ...pricing, invoice: unpaid.invoice })
  const { invoice, card } = discount ? await preview({ paidBefore: paid, discount }) : unpaid
  const { lines } = invoice
  return {
    ...{ lines, amounts: amountsOf(invoice), discount, paidBefore: paid },
    card: await memberCard(deps, member, { paid: listed, card }),
    nextRenewal: renewalOf(renewal, listed, balanceAfter(invoice)),
  }
}

interface Discounted extends Quotable {
  asked: AskedChange
  /** Without the coupon. */
  invoice: Pick<BilledInvoice, 'lines' | 'discount' | 'currency'>
}

/** What the coupon takes off; null without one. @throws Problem of `usableCoupon`; `invalid` for one that takes nothing off */
export async function discountOn(
  deps: Deps,
  member: Member,
  { invoice, asked, ...quotable }: Discounted,
): Promise<OnceOff | null> {
  const { couponCode } = asked
  if (couponCode === '') return null
  const coupon = await atProvider(() => usableCoupon(deps, member, couponUse(quotable, couponCode)))
  const { listed, plan } = quotable
  // PayPal's order is computed here.
  const isOfCard = listed.channel === 'card'
  const step = isOfCard ? chargeStep(invoice.currency) : paypalStep(invoice.currency)
  const amount = discountOf(coupon, { ...(await sumsFor(deps, coupon, invoice)), step })
  if (amount === 0) throw refusedField('couponCode', 'coupon_no_effect')
  const bought = invoice.lines.find(({ priceId }) => priceId === plan.bought.priceId)
  const tax = isOfCard ? await atProvider(() => deps.cards.taxOfPrice(plan.bought.priceId)) : untaxed
  return { couponCode: coupon.code, amount, currency: invoice.currency, productId: bought?.productId ?? '', ...tax }
}

/** A coupon for some products takes nothing off what is bought beside them. */
async function sumsFor({ db }: Deps, { products }: Coupon, invoice: Discounted['invoice']) {
  if (products.length === 0) return sumsOf(invoice)
  const named = await productsOfLines(db, invoice.lines)
  return sumsOf(invoice, (line) => products.includes(productOfLine(line, named)?.code ?? ''))
}

/** What a coupon would be used for. @param field of the body that names it */
export function couponUse({ listed, plan }: Quotable, code: string, field = 'couponCode') {
  const { id: subject, currency } = listed
  const purchase = { productCode: plan.bought.productCode, term: plan.after.paidType, currency: currency ?? '' }
  return { code, purchase, subject, field }
}

/**
 * Whole periods: what begins at the end of the period; a term that begins now is charged again at its own end.
 * @param balance of the customer's account after the change, in minor units: the next invoice adds what is owed, and takes off a credit
 */
function renewalOf(
  renewal: BilledInvoice,
  { periodEnd }: ListedSubscription,
  balance: number,
): ChangeQuote['nextRenewal'] {
  const starts = renewal.lines.map((line) => line.periodStart.getTime())
  const ends = renewal.lines.map((line) => line.periodEnd.getTime())
  const begin = Math.min(...starts)
  const isLater = periodEnd !== null && begin >= periodEnd.getTime()
  return {
    date: new Date(isLater ? begin : Math.max(...ends)).toISOString(),
    amount: Math.max(0, renewal.total + balance),
  }
}

/** Asks the provider while nothing is at stake yet. @throws Problem `change_not_possible`, `other_currency`, `payment_provider_unavailable` */
export async function atProvider<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (error.code === otherCurrency) throw new Problem('other_currency', { cause: error })
    const isRefused = error.kind === 'invalid' || error.kind === 'missing'
    if (isRefused) throw new Problem('change_not_possible', { cause: error })
    throw new Problem('payment_provider_unavailable', { retryAfter: 5, cause: error })
  }
}
