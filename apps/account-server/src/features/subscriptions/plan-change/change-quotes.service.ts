import { randomUUID } from 'node:crypto'
import type { ChangeDetail } from '@atrium/contract/change-details.ts'
import type { ChangeQuote } from '@atrium/contract/change-quotes.ts'
import { changePlanFrom } from '@atrium/contract/plan-changes.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem, problemWithData } from '@atrium/server-kit/problem.ts'
import { isCardExpired } from '../../../db/calendar.rules.ts'
import type { Deps } from '../../../deps.ts'
import type { PayingCard } from '../../../outside/card-provider/plan-previews.ts'
import { defaultAddressOf } from '../../addresses/addresses.queries.ts'
import { catalog, productsOfLines, soldPrices } from '../../catalog/catalog.queries.ts'
import { codes } from '../change-outcome.ts'
import { isKnownByAddress } from '../known-by-address.rules.ts'
import { priceAtPaypal } from '../paypal-change/paypal-price.ts'
import { plannedChangeOf } from '../planned-change.rules.ts'
import { readAtProvider } from '../read-at-provider.ts'
import { plannedRenewal } from '../renewal/renewal.rules.ts'
import { renewalType } from '../renewal/renewal-window.rules.ts'
import { seatsByProduct, subscriptionOfMember } from '../subscription-list.queries.ts'
import { subscriptionRecord, viewOf } from '../subscription-record.rules.ts'
import { accessNow } from '../subscriptions.rules.ts'
import { atProvider, priceAtCard, type Quotable } from './change-price.ts'
import { type AskedChange, changeQuotes } from './change-quotes.tables.ts'
import { openChangeAtProvider } from './open-change.queries.ts'
import { plannedChange, versionOf } from './plan-change.rules.ts'
import { linesOf } from './quote-amounts.rules.ts'

/** Minutes for which a quote is charged as it was shown. */
export const quoteMinutes = 15

/** @throws Problem `not_found`, `not_owner`, `subscription_change_pending`, and those of `plannedChange` */
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
  const open = openChangeAtProvider(listed)
  if (open) throw problemWithData(changePlanFrom, codes.excluded, open)
  if (asked.type === renewalType) {
    const [products, prices] = await Promise.all([catalog(db), soldPrices(db, 'card')])
    return { listed, plan: plannedRenewal({ listed, products, prices, now: access.now }) }
  }
  const { channel } = listed
  if (channel === 'invoice' || listed.providerId === null) throw new Problem('change_not_possible')
  const [products, prices] = await Promise.all([catalog(db), soldPrices(db, channel)])
  const record = subscriptionRecord(listed, viewOf(deps.config, access.now))
  const seats = await seatsByProduct(db, listed.memberId)
  return { listed, plan: plannedChange({ listed, record, asked, products, prices, seatsByProduct: seats }) }
}

export interface Quoted extends Quotable {
  quote: ChangeQuote
  card: PayingCard | null
  /** When it was quoted. */
  now: Date
}

/**
 * A stored quote of what a change would charge now.
 * @throws Problem of `quotableChange`; `payment_provider_unavailable`
 */
export async function newQuote(
  deps: Deps,
  member: Member,
  { sid, asked }: { sid: string; asked: AskedChange },
): Promise<Quoted> {
  await readBefore(deps, member, sid)
  const quotable = await quotableChange(deps.db, deps, member, { sid, asked })
  const { listed, plan } = quotable
  const now = deps.clock()
  // Providers count in seconds, and from the beginning of the period.
  const prorationDate = new Date(Math.max(Math.floor(now.getTime() / 1000) * 1000, listed.periodStart.getTime()))
  const price = listed.channel === 'paypal' ? priceAtPaypal : priceAtCard
  const priced = await price(deps, member, { ...quotable, asked, prorationDate })
  const { lines, amounts, discount, paidBefore, nextRenewal, card } = priced

  const names = await productsOfLines(deps.db, lines)
  const validUntil = new Date(now.getTime() + quoteMinutes * 60_000)
  const quote: ChangeQuote = {
    quoteId: randomUUID(),
    validUntil: validUntil.toISOString(),
    before: plan.before,
    after: plan.after,
    lines: linesOf({ lines }, names),
    couponCode: discount?.couponCode ?? '',
    ...amounts,
    paymentMethodId: card?.id ?? '',
    nextRenewal,
  }
  await deps.db.insert(changeQuotes).values({
    id: quote.quoteId,
    memberId: member.id,
    subscriptionId: listed.id,
    asked,
    version: versionOf(listed),
    items: plan.items,
    discount,
    paidBefore,
    shown: quote,
    prorationDate,
    validUntil,
    createdAt: now,
  })
  return { listed, plan, quote, card, now }
}

/** What its vendor has just changed at the provider, and nobody has told us yet, is quoted as it is now. */
async function readBefore(deps: Deps, member: Member, sid: string): Promise<void> {
  const listed = await subscriptionOfMember(deps.db, member, { id: sid, access: accessNow(deps) })
  if (listed?.role === seatTypes.owner) await atProvider(() => readAtProvider(deps, listed))
}

/** The content of a change's dialog (001 §3). */
export async function changeDetail(
  deps: Deps,
  member: Member,
  asked: { sid: string; asked: AskedChange },
): Promise<ChangeDetail> {
  return detailOf(deps, member, asked, await newQuote(deps, member, asked))
}

/** The content of the dialog of a stored quote. */
export async function detailOf(
  { db }: Deps,
  member: Member,
  { asked }: { asked: AskedChange },
  { listed, plan, quote, card, now }: Quoted,
): Promise<ChangeDetail> {
  const { product, term, currency } = listed
  const plannedChange = plannedChangeOf(listed, listed.nextProducts)
  if (term === null || currency === null) throw new Error('a change was planned of what is not billed')
  const billing = await defaultAddressOf(db, member)
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
    billingCountry: billing?.address.country ?? '',
    maxIncrease: plan.maxIncrease,
    upgrades: [...plan.upgrades],
    upgradeAppCode: asked.type === 'switch-to-business-billing' ? plan.after.appCode : '',
    email: member.email,
    payType: listed.channel === 'paypal' ? 'paypal' : 'card',
    needsPayingAccount: listed.channel === 'paypal' && isKnownByAddress(listed) ? 1 : 0,
    ...(listed.quoteOfOpenChange && { openOrderAmount: listed.quoteOfOpenChange.shown.chargeAmount }),
    ...(plannedChange && { plannedChange }),
    cardList: card ? [{ id: card.id, card: shownCard(card), isExpired: isCardExpired(card, now) }] : [],
    quote,
  }
}

function shownCard({ brand, last4, expMonth, expYear }: PayingCard) {
  return { brand, last4, expMonth, expYear }
}
