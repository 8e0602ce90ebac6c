import { randomUUID } from 'node:crypto'
import type { ChangeQuote } from '@atrium/contract/change-quotes.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { productsOfLines } from '../../catalog/catalog.queries.ts'
import { customerFor } from '../../payments/customers/create-customer.ts'
import { atProvider, discountOn } from '../plan-change/change-price.ts'
import { detailOf, type Quoted, quotableChange, quoteMinutes } from '../plan-change/change-quotes.service.ts'
import { type AskedChange, changeQuotes } from '../plan-change/change-quotes.tables.ts'
import { versionOf } from '../plan-change/plan-change.rules.ts'
import { amountsOf, linesOf } from '../plan-change/quote-amounts.rules.ts'
import { renewedPeriod } from './renewal.rules.ts'
import { renewalType } from './renewal-window.rules.ts'

interface Asking {
  sid: string
  /** Empty: none. */
  couponCode: string
}

/** What is asked for: a renewal has no quantity. */
export function askedRenewal({ couponCode }: Pick<Asking, 'couponCode'>): AskedChange {
  return { type: renewalType, increasingNumber: 1, upgradeSelect: '', couponCode }
}

/** The content of the dialog of a renewal (001 §3). @throws Problem of `newRenewalQuote` */
export async function renewalDetail(deps: Deps, member: Member, { sid, couponCode }: Asking) {
  const asked = askedRenewal({ couponCode })
  return detailOf(deps, member, { asked }, await newRenewalQuote(deps, member, { sid, asked }))
}

/**
 * A stored quote of what a renewal would charge now, by a preview of the card provider.
 * @throws Problem of `quotableChange`; `payment_provider_unavailable`
 */
export async function newRenewalQuote(
  deps: Deps,
  member: Member,
  { sid, asked }: { sid: string; asked: AskedChange },
): Promise<Quoted> {
  const quotable = await quotableChange(deps.db, deps, member, { sid, asked })
  const { listed, plan } = quotable
  const term = {
    ...{ customerId: await customerIdFor(deps, member), items: plan.items, currency: listed.currency ?? '' },
    ...{ discount: undefined, isTaxed: deps.config.STRIPE_AUTOMATIC_TAX === 'on', ...renewedPeriod(listed) },
  }
  const full = await atProvider(() => deps.cards.previewPrepaid(term))
  const discount = await discountOn(deps, member, { ...quotable, asked, invoice: full.invoice })
  const { invoice, card } = discount ? await atProvider(() => deps.cards.previewPrepaid({ ...term, discount })) : full

  const names = await productsOfLines(deps.db, invoice.lines)
  const now = deps.clock()
  const validUntil = new Date(now.getTime() + quoteMinutes * 60_000)
  const quote: ChangeQuote = {
    quoteId: randomUUID(),
    validUntil: validUntil.toISOString(),
    before: plan.before,
    after: plan.after,
    lines: linesOf(invoice, names),
    couponCode: discount?.couponCode ?? '',
    ...amountsOf(invoice),
    paymentMethodId: card?.id ?? '',
    nextRenewal: null,
  }
  await deps.db.insert(changeQuotes).values({
    ...{ id: quote.quoteId, memberId: member.id, subscriptionId: listed.id, asked, items: plan.items, discount },
    ...{ version: versionOf(listed), shown: quote, prorationDate: now, validUntil, createdAt: now },
  })
  return { listed, plan, quote, card, now }
}

/** @throws Problem `payment_provider_unavailable` */
async function customerIdFor(deps: Deps, member: Member): Promise<string> {
  try {
    return await customerFor(deps, member)
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'card_provider_unavailable')) throw error
    throw new Problem('payment_provider_unavailable', { retryAfter: 5, cause: error })
  }
}
