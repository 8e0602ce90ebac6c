import { randomUUID } from 'node:crypto'
import type { EndpointAnswer } from '@atrium/contract/endpoint.ts'
import type { ChangeQuote, changePlanFrom } from '@atrium/contract/plan-changes.ts'
import { seatTypes } from '@atrium/contract/team.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem, refusedField } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import type { BilledInvoice } from '../../../outside/billed-invoice.ts'
import type { PayingCard } from '../../../outside/card-provider/plan-previews.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { catalog, productsOfPrices, soldPrices } from '../../catalog/catalog.queries.ts'
import { type CouponPurchase, discountOf } from '../../coupons/coupons.rules.ts'
import { usableCoupon } from '../../coupons/usable-coupon.ts'
import { type ListedSubscription, subscriptionOfMember } from '../subscription-list.queries.ts'
import { subscriptionRecord, viewOf } from '../subscription-record.rules.ts'
import { accessNow } from '../subscriptions.rules.ts'
import { syncSubscription } from '../subscriptions.sync.ts'
import { type AskedChange, changeQuotes } from './change-quotes.tables.ts'
import { amountsOf, linesOf, type PlannedChange, plannedChange, sumsOf, versionOf } from './plan-change.rules.ts'

/** Minutes for which a quote is charged as it was shown. */
const quoteMinutes = 15

/** A change of a subscription that the member owns, planned from what is stored. */
export interface Quotable {
  listed: ListedSubscription
  plan: PlannedChange
}

/** @throws Problem `not_found`, `not_owner`, and those of `plannedChange` */
export async function quotableChange(
  db: Reader,
  deps: Deps,
  member: Member,
  { sid, asked }: { sid: string; asked: AskedChange },
): Promise<Quotable> {
  const access = accessNow(deps)
  const listed = await subscriptionOfMember(db, member, { id: sid, access })
  if (!listed) throw new Problem('not_found')
  if (listed.role !== seatTypes.owner) throw new Problem('not_owner')
  // PayPal neither previews nor prorates.
  if (listed.channel !== 'card' || listed.providerId === null) throw new Problem('change_not_possible')
  const [products, prices] = await Promise.all([catalog(db), soldPrices(db, 'card')])
  const record = subscriptionRecord(listed, viewOf(deps.config, access.now))
  return { listed, plan: plannedChange({ listed, record, asked, products, prices }) }
}

export interface Quoted extends Quotable {
  quote: ChangeQuote
  card: PayingCard | null
}

/**
 * A stored quote of what a change would charge now: two previews of the card provider, in parallel.
 * @throws Problem of `quotableChange`; `payment_provider_unavailable`
 */
export async function newQuote(
  deps: Deps,
  member: Member,
  { sid, asked }: { sid: string; asked: AskedChange },
): Promise<Quoted> {
  await readItems(deps, member, sid)
  const quotable = await quotableChange(deps.db, deps, member, { sid, asked })
  const { listed, plan } = quotable
  const now = deps.clock()
  // The provider counts in seconds, and from the beginning of the period.
  const prorationDate = new Date(Math.max(Math.floor(now.getTime() / 1000) * 1000, listed.periodStart.getTime()))
  const change = { id: listed.providerId ?? '', items: plan.items, prorationDate }
  const [full, renewal] = await atProvider(() =>
    Promise.all([deps.cards.previewChange(change), deps.cards.previewRenewal(change)]),
  )
  const discount = await atProvider(() => discountOn(deps, member, { ...quotable, asked, invoice: full.invoice }))
  const { invoice, card } = discount ? await atProvider(() => deps.cards.previewChange({ ...change, discount })) : full

  const names = await productsOfPrices(
    deps.db,
    invoice.lines.map(({ priceId }) => priceId),
  )
  const validUntil = new Date(now.getTime() + quoteMinutes * 60_000)
  const quote: ChangeQuote = {
    quoteId: randomUUID(),
    validUntil: validUntil.toISOString(),
    before: plan.before,
    after: plan.after,
    lines: linesOf(invoice, names),
    couponCode: asked.couponCode,
    ...amountsOf(invoice),
    nextRenewal: renewalOf(renewal, listed),
  }
  await deps.db.insert(changeQuotes).values({
    id: quote.quoteId,
    memberId: member.id,
    subscriptionId: listed.id,
    asked,
    version: versionOf(listed),
    items: plan.items,
    discount,
    shown: quote,
    prorationDate,
    validUntil,
    createdAt: now,
  })
  return { listed, plan, quote, card }
}

interface Discounted extends Quotable {
  asked: AskedChange
  /** Without the coupon. */
  invoice: BilledInvoice
}

/** What the coupon takes off; null without one. @throws Problem of `usableCoupon`; `invalid` for one that takes nothing off */
async function discountOn(deps: Deps, member: Member, { invoice, asked, ...quotable }: Discounted) {
  const { couponCode } = asked
  if (couponCode === '') return null
  const wanted = { code: couponCode, purchase: purchaseOf(quotable), field: 'couponCode' }
  const amount = discountOf(await usableCoupon(deps, member, wanted), sumsOf(invoice))
  if (amount === 0) throw refusedField('couponCode', 'coupon_no_effect')
  const bought = invoice.lines.find(({ priceId }) => priceId === quotable.plan.bought.priceId)
  return { couponCode, amount, currency: invoice.currency, productId: bought?.productId ?? '' }
}

/** What a coupon would be used for. */
export function purchaseOf({ listed: { currency }, plan }: Quotable): Omit<CouponPurchase, 'country'> {
  return { productCode: plan.bought.productCode, term: plan.after.paidType, currency: currency ?? '' }
}

/** What was stored by an earlier version of this program has no items yet. */
async function readItems(deps: Deps, member: Member, sid: string): Promise<void> {
  const listed = await subscriptionOfMember(deps.db, member, { id: sid, access: accessNow(deps) })
  const { channel, providerId, providerItems } = listed ?? {}
  if (channel !== 'card' || !providerId || providerItems?.length !== 0) return
  await atProvider(() => syncSubscription(deps, providerId))
}

/** Whole periods: what begins at the end of the period; a term that begins now is charged again at its own end. */
function renewalOf(renewal: BilledInvoice, { periodEnd }: ListedSubscription): ChangeQuote['nextRenewal'] {
  const starts = renewal.lines.map((line) => line.periodStart.getTime())
  const ends = renewal.lines.map((line) => line.periodEnd.getTime())
  const begin = Math.min(...starts)
  const isLater = periodEnd !== null && begin >= periodEnd.getTime()
  return { date: new Date(isLater ? begin : Math.max(...ends)).toISOString(), amount: renewal.total }
}

/** Asks the provider while nothing is at stake yet. @throws Problem `change_not_possible`, `payment_provider_unavailable` */
export async function atProvider<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const isRefused = error.kind === 'invalid' || error.kind === 'missing'
    if (isRefused) throw new Problem('change_not_possible', { cause: error })
    throw new Problem('payment_provider_unavailable', { retryAfter: 5, cause: error })
  }
}

/** The content of a change's dialog (001 §3). */
export async function changeDetail(
  deps: Deps,
  member: Member,
  asked: { sid: string; asked: AskedChange },
): Promise<EndpointAnswer<typeof changePlanFrom>> {
  const { listed, plan, quote, card } = await newQuote(deps, member, asked)
  const { product, term, currency } = listed
  if (term === null || currency === null) throw new Error('a change was planned of what is not billed')
  return {
    stripeSubscriptionId: listed.id,
    appName: product.name,
    appCode: listed.productCode,
    skuName: product.skuName,
    paidType: term,
    userCount: listed.userCount,
    storageCapacity: listed.storageCapacity,
    esignConnectors: listed.connectors,
    currency,
    price: plan.unitPrice,
    totalPrice: plan.unitPrice * plan.units,
    maxIncrease: plan.maxIncrease,
    upgrades: [...plan.upgrades],
    upgradeAppCode: asked.asked.type === 'switch-to-business-billing' ? plan.after.appCode : '',
    email: member.email,
    cardList: card ? [{ id: card.id, card: shownCard(card) }] : [],
    quote,
  }
}

function shownCard({ brand, last4, expMonth, expYear }: PayingCard) {
  return { brand, last4, expMonth, expYear }
}
