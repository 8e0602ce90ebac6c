import type { Db } from '@atrium/server-kit/database.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { isOfErased, openUnmatched, priceReasons } from '../payments/unmatched/unmatched.queries.ts'
import {
  type UnmatchedPurchase,
  type UnmatchedReason,
  unmatchedPurchases,
} from '../payments/unmatched/unmatched.tables.ts'
import { forgetLessThanPlan, storeAcceptedTerms } from '../payments/unmatched/unmatched.writes.ts'

/** What the operator can do about each. */
const ways: Readonly<Record<UnmatchedReason, string>> = {
  no_member:
    'nobody here has its customer, reference or verified address: npm run members -- link-customer, or import the customer',
  offered: 'only a typed address says whose it is, and nothing was paid: its member is asked, or --accept it',
  not_mine: 'the member says that it is not theirs: npm run members -- link-customer for whose it is',
  price_overridden:
    'its plan was overridden, and what was paid is not known to be the price of the catalog: --accept it to grant it',
  paid_too_little: 'what was paid is less than one cycle of its plan costs: --accept it to grant it',
  impossible_amount: 'its quantity or an amount is not one: correct it at the provider',
  number_taken: 'another order has its number: correct the one that a file brought',
  transferred:
    'it was billed again after a transfer had given it to another Owner: give the money back and cancel it at the provider; it cannot be accepted, since nothing here is paid by it',
  taken_back_after_transfer:
    'what was paid for it before a transfer was given or taken back, and an Owner since has paid for it, or a card of theirs goes on with it once that time is over: end at once at the card provider what has continued it, and give back what was paid for that, or --accept it to leave it as it is',
}

/** … of what only an address had made theirs who was erased since. */
const waysOfLeft =
  'only a typed address said whose it was, and that person was erased: npm run members -- link-customer for whose it is'

/** … of what waits beside what was granted since. */
const waysBeside =
  'it was not granted, unlike what was paid since: --accept it, which makes an order of it and grants nothing, or give the money back'

type Provider = UnmatchedPurchase['provider']

/** What waits at a provider, a line each, and what to do about it. */
export async function unmatchedLines(db: Db, provider: Provider): Promise<string[]> {
  const rows = await openUnmatched(db, provider)
  return rows.map((row) => `${row.id}  ${row.provider} ${row.kind} ${row.objectId}${detailsOf(row)}: ${wayOf(row)}`)
}

type Waiting = UnmatchedPurchase & { isOfErased: boolean }

function wayOf({ reason, memberId, terms, payments, isOfErased }: Waiting): string {
  if (isOfErased) return ways.no_member
  if (reason === 'not_mine' && memberId === null) return waysOfLeft
  const isBeside = priceReasons.some((one) => one === reason) && terms === '' && payments.length > 0
  return isBeside ? waysBeside : ways[reason]
}

function detailsOf({
  customerId,
  email,
  memberId,
  currency,
  terms,
  lessThanPlan,
  boughtAt,
  ...row
}: UnmatchedPurchase): string {
  const details = [
    customerId && `customer ${customerId}`,
    email,
    memberId && `member ${memberId}`,
    currency && paidWords(row, currency),
    terms && `terms ${terms}`,
    lessThanPlan && `less than its plan asks: ${lessThanPlan}`,
    boughtAt.toISOString().slice(0, 10),
  ]
  return ` (${details.filter(Boolean).join(', ')})`
}

function paidWords({ amount, payments }: Pick<UnmatchedPurchase, 'amount' | 'payments'>, currency: string): string {
  if (payments.length > 1) {
    const sum = payments.reduce((all, one) => all + one.amount, 0)
    return `${payments.length} payments, ${sum} ${currency} in minor units`
  }
  if (amount === null) return ''
  if (amount === 0) return 'all of it was given back, and it is billed again unless it is canceled at the provider'
  return `${amount} ${currency} in minor units`
}

const acceptable: readonly UnmatchedReason[] = ['offered', ...priceReasons, 'taken_back_after_transfer']

type Acceptance = { kind: 'accepted'; objectId: string } | { kind: 'unknown' } | { kind: 'refused'; why: string }

interface Accepting {
  id: string
  provider: Provider
  now: Date
}

/** Takes one as it is. What it grants follows when it is read again. */
export async function acceptUnmatched(db: Db, { id, provider, now }: Accepting): Promise<Acceptance> {
  if (!z.uuid().safeParse(id).success) return { kind: 'unknown' }
  return db.transaction(async (tx) => {
    const isIt = and(eq(unmatchedPurchases.id, id), eq(unmatchedPurchases.provider, provider))
    const [row] = await tx.select().from(unmatchedPurchases).where(isIt).for('update')
    if (!row) return { kind: 'unknown' }
    if ((await tx.$count(unmatchedPurchases, and(isIt, isOfErased()))) > 0)
      return { kind: 'refused', why: ways.no_member }
    if (!acceptable.includes(row.reason)) return { kind: 'refused', why: ways[row.reason] }
    const isOpen = and(isIt, isNull(unmatchedPurchases.acceptedAt))
    await tx.update(unmatchedPurchases).set({ acceptedAt: now }).where(isOpen)
    if (row.terms !== '') await storeAcceptedTerms(tx, { ...row, acceptedAt: now })
    if (row.lessThanPlan !== '') await forgetLessThanPlan(tx, row.objectId)
    return { kind: 'accepted', objectId: row.objectId }
  })
}
