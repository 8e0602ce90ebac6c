import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { QuoteRequest } from '@atrium/contract/quotes.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem, refusedField } from '@atrium/server-kit/problem.ts'
import { and, desc, eq, gt } from 'drizzle-orm'
import { claimKey } from '../../db/idempotency-keys.writes.ts'
import { lockCaller, memberRow } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { catalog, productByCode } from '../catalog/catalog.queries.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import { countryList, isCountry } from '../profile/countries.rules.ts'
import { customerEmail, type QuoteEmail, salesEmail } from './quote-emails.ts'
import { dayBefore, secondsToWait } from './quotes.rules.ts'
import { quotes } from './quotes.tables.ts'

/** The content of the dialog: products, country names, and what is known of the member. */
export async function readQuoteForm({ db }: Deps, member: Member, lang: LocaleCode) {
  const [row, products] = await Promise.all([memberRow(db, member), catalog(db)])
  if (!row) throw new Problem('not_found')
  return {
    products: products.map(({ code, name }) => ({ code, name })),
    countryList: countryList(lang),
    company: row.company,
    country: row.countryCode,
  }
}

interface Asked {
  request: QuoteRequest
  idempotencyKey: IdempotencyKey | undefined
}

/** Stores the lead, its activity row and both emails in one transaction. */
export function requestQuote(
  deps: Deps,
  member: Member,
  { request, idempotencyKey }: Asked,
): Promise<{ quoteId: string }> {
  const now = deps.clock()
  if (!isCountry(request.country)) throw refusedField('country', 'country_required')

  return deps.db.transaction(async (tx) => {
    // The member's row is the lock: only one of two concurrent requests can be the fifth of a day.
    const row = await lockCaller(tx, member)
    if (!(await claimKey(tx, member, { idempotencyKey, now })).isNew) return latestQuote(tx, member)
    await refuseTooMany(tx, member, now)
    const product = await productByCode(tx, request.productCode)
    if (!product) throw new Problem('unknown_product')

    const quoteId = await storeLead(tx, member, { request, now })
    const { kind, productCode, seats, term } = request
    const details = { kind, productCode, seats, term }
    await record(tx, member, { action: 'quote.requested', target: quoteId, details, now })
    await sendEmails(deps, tx, { quoteId, request, member: row, productName: product.name })
    return { quoteId }
  })
}

async function refuseTooMany(tx: Tx, member: Member, now: Date): Promise<void> {
  const asked = await tx
    .select({ at: quotes.createdAt })
    .from(quotes)
    .where(and(eq(quotes.memberId, member.id), gt(quotes.createdAt, dayBefore(now))))
  const retryAfter = secondsToWait(
    asked.map(({ at }) => at),
    now,
  )
  if (retryAfter > 0) throw new Problem('too_often', { retryAfter })
}

/** The answer to a repeated request: the latest quote is its own. */
async function latestQuote(tx: Tx, member: Member): Promise<{ quoteId: string }> {
  const [latest] = await tx
    .select({ quoteId: quotes.id })
    .from(quotes)
    .where(eq(quotes.memberId, member.id))
    .orderBy(desc(quotes.createdAt))
    .limit(1)
  if (!latest) throw new Problem('not_found')
  return latest
}

async function storeLead(
  tx: Tx,
  member: Member,
  { request, now }: { request: QuoteRequest; now: Date },
): Promise<string> {
  const { lang: _, ...lead } = request
  const [stored] = await tx
    .insert(quotes)
    .values({ ...lead, memberId: member.id, createdAt: now })
    .returning({ id: quotes.id })
  if (!stored) throw new Error('the lead was not stored')
  return stored.id
}

async function sendEmails(deps: Deps, tx: Tx, quote: Omit<QuoteEmail, 'brandName'>): Promise<void> {
  const draft = { ...quote, brandName: deps.config.BRAND_NAME }
  await sendEmail(deps, tx, { ...salesEmail(draft), to: deps.config.SALES_EMAIL, replyTo: quote.member.email })
  await sendEmail(deps, tx, { ...customerEmail(draft), to: quote.member.email })
}
