import type { Member } from '@atrium/server-kit/caller.ts'
import { and, eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import type { Coupon } from '../../coupons/coupons.rules.ts'
import { findCoupon } from '../../coupons/usable-coupon.ts'
import { mainCustomerId } from '../../payments/customers/customers.queries.ts'
import { expectOnFile } from '../paying-card.ts'
import { type AskedChange, type ChangeQuoteRow, changeQuotes } from '../plan-change/change-quotes.tables.ts'
import { subscriptionOfMember } from '../subscription-list.queries.ts'
import { accessNow } from '../subscriptions.rules.ts'
import { renewedPeriod } from './renewal.rules.ts'

export interface AskedRenewal {
  sid: string
  quoteId: string
  asked: AskedChange
  /** Empty: the default card. */
  paymentMethodId: string
  /** As the customer saw it; undefined: not said. */
  discount: number | undefined
}

/** What a renewal is decided from. */
export interface RenewalFacts {
  /** The member's quote for this subscription; undefined: there is none. */
  quote: ChangeQuoteRow | undefined
  /** At the provider; undefined: there is none. */
  customerId: string | undefined
  /** Whether the provider computes the tax. */
  isTaxed: boolean
  /** What it would charge now; undefined: the quote is of another state. */
  preview: Awaited<ReturnType<Deps['cards']['previewPrepaid']>> | undefined
  /** As it is now; undefined: none is used. */
  coupon: Coupon | undefined
}

/** Asks the provider once more what the quote would charge. @throws Problem `not_found` for a card that is not on file */
export async function readRenewal(deps: Deps, member: Member, asked: AskedRenewal): Promise<RenewalFacts> {
  const { sid, quoteId, paymentMethodId } = asked
  const quote = await quoteOf(deps, member, { sid, quoteId })
  const customerId = await mainCustomerId(deps.db, member)
  const isTaxed = deps.config.STRIPE_AUTOMATIC_TAX === 'on'
  const nothing = { quote, customerId, isTaxed, preview: undefined, coupon: undefined }
  const listed = await subscriptionOfMember(deps.db, member, { id: sid, access: accessNow(deps) })
  if (!quote || customerId === undefined || !listed?.periodEnd) return nothing
  const discount = quote.discount ?? undefined
  const coupon = discount && (await findCoupon(deps, discount.couponCode))
  const term = { customerId, items: quote.items, discount, currency: quote.shown.currency, isTaxed }
  const preview = await deps.cards.previewPrepaid({ ...term, ...renewedPeriod(listed) }).catch(unlessInvalid)
  // The default card is on file.
  if (paymentMethodId !== preview?.card?.id) await expectOnFile(deps, member, { paid: listed, paymentMethodId })
  return { ...nothing, coupon, preview }
}

/** A price is not sold any more, say: the quote is of another state. */
function unlessInvalid(error: unknown): undefined {
  if (!(error instanceof ProviderFailure && error.kind === 'invalid')) throw error
}

async function quoteOf({ db }: Deps, member: Member, { sid, quoteId }: { sid: string; quoteId: string }) {
  const { id, memberId, subscriptionId } = changeQuotes
  const [quote] = await db
    .select()
    .from(changeQuotes)
    .where(and(eq(id, quoteId), eq(memberId, member.id), eq(subscriptionId, sid)))
  return quote
}
