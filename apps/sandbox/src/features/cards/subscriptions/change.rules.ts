import type Stripe from 'stripe'
import { type Applied, reductionsOf } from '../money/lines.rules.ts'
import { boundary, periodAround } from '../money/periods.rules.ts'
import { type Period, remaining } from '../money/proration.rules.ts'
import type { Debit } from '../store/billing-hidden.ts'
import { idOf } from '../store/stored.ts'
import { amountOf, everyOf, isSameInterval } from './items.rules.ts'

/** An item before and after a change; without `after` it is removed, without `before` it is added. */
export interface ItemChange {
  before: Stripe.SubscriptionItem | undefined
  after: Stripe.SubscriptionItem | undefined
}

interface Change {
  items: readonly ItemChange[]
  debits: readonly Debit[]
  /** Discounts after the change. */
  discounts: readonly Applied[]
  anchor: number
  /** Epoch seconds from which it counts. */
  at: number
  /** Epoch seconds. */
  now: number
  isProrated: boolean
  /** New periods start now: the anchor was moved, a trial ended, or an interval changes. */
  restarts: boolean
  /** The end of a trial that starts or goes on; nothing is charged for it. */
  trialEnd: number | null
}

/** Money for a part of a period: negative for time that is not used any more. */
export interface Proration {
  item: Stripe.SubscriptionItem
  amount: number
  period: Period
  quantity: number
  /** The charge that a credit takes back. */
  credited: Debit | null
}

export interface ChangePlan {
  items: Stripe.SubscriptionItem[]
  anchor: number
  prorations: Proration[]
  /** Items that are charged for a whole new period. */
  renewed: Stripe.SubscriptionItem[]
  /** Charges that were not credited. */
  debits: Debit[]
  /** Discounts that reduced a proration. */
  discounts: string[]
}

/** What a change of a subscription costs. A preview and the change itself both follow it. */
export function planChange(change: Change): ChangePlan {
  if (change.trialEnd !== null) return trialPlan(change, change.trialEnd)
  const restarts = change.restarts || change.items.some(isOtherInterval)
  return restarts ? restartPlan(change) : prorationPlan(change)
}

function isOtherInterval({ before, after }: ItemChange): boolean {
  return before !== undefined && after !== undefined && !isSameInterval(before, after)
}

function kept(items: readonly ItemChange[]): Stripe.SubscriptionItem[] {
  return items.flatMap(({ after }) => (after ? [after] : []))
}

function withPeriod(item: Stripe.SubscriptionItem, { start, end }: Period): Stripe.SubscriptionItem {
  return { ...item, current_period_start: start, current_period_end: end }
}

/** Everything up to the end of the trial is free. */
function trialPlan(change: Change, trialEnd: number): ChangePlan {
  const { credits, debits } = creditsFor(change, () => true)
  const startOf = (before: Stripe.SubscriptionItem | undefined) =>
    before?.current_period_end === trialEnd ? before.current_period_start : change.now
  return {
    items: change.items.flatMap(({ before, after }) =>
      after ? [withPeriod(after, { start: startOf(before), end: trialEnd })] : [],
    ),
    anchor: trialEnd,
    prorations: credits,
    renewed: [],
    debits,
    discounts: [],
  }
}

/** Every item starts a new period now, and what is left of the old ones is credited. */
function restartPlan(change: Change): ChangePlan {
  const { credits, debits } = creditsFor(change, () => true)
  const items = kept(change.items).map((item) =>
    withPeriod(item, { start: change.now, end: boundary(change.now, everyOf(item), 1) }),
  )
  return { items, anchor: change.now, prorations: credits, renewed: items, debits, discounts: [] }
}

/** The periods stay: what changes is credited and charged for their rest. */
function prorationPlan(change: Change): ChangePlan {
  const touched = change.items.filter(isTouched)
  const { credits, debits } = creditsFor(change, (item) => touched.some(({ before }) => before?.id === item))
  const items = change.items.flatMap(({ before, after }) => {
    if (!after) return []
    return before ? [after] : [withPeriod(after, periodOfNew(after, change))]
  })
  const nets = netAmounts(items, change.discounts)
  const charged = items.filter(({ id }) => touched.some(({ after }) => after?.id === id))
  const chargeOf = (item: Stripe.SubscriptionItem) => charge(item, { nets, ...change })
  return {
    items,
    anchor: change.anchor,
    prorations: [...credits, ...(change.isProrated ? charged.map(chargeOf) : [])],
    renewed: [],
    debits,
    discounts: change.isProrated ? change.discounts.filter(isUsedBy(charged)).map(({ id }) => id) : [],
  }
}

function isTouched({ before, after }: ItemChange): boolean {
  return before?.price.id !== after?.price.id || before?.quantity !== after?.quantity
}

function isUsedBy(items: readonly Stripe.SubscriptionItem[]) {
  return (discount: Applied) => items.some((item) => reduces(discount, item))
}

function reduces({ products }: Applied, { price }: Stripe.SubscriptionItem): boolean {
  return products === null || products.includes(idOf(price.product) ?? '')
}

/** A new item shares the period of one with the same interval, or the one that the anchor gives. */
function periodOfNew(item: Stripe.SubscriptionItem, { items, anchor, at }: Change): Period {
  const like = items.find(({ before }) => before && isSameInterval(before, item))?.before
  if (like) return { start: like.current_period_start, end: like.current_period_end }
  return periodAround(anchor, everyOf(item), at)
}

/** What each item costs for a whole period, after discounts. */
export function netAmounts(
  items: readonly Stripe.SubscriptionItem[],
  discounts: readonly Applied[],
): ReadonlyMap<string, number> {
  let nets = items.map(amountOf)
  for (const discount of discounts) {
    const amounts = reductionsOf(
      discount,
      items.map((item, place) => (reduces(discount, item) ? (nets[place] ?? 0) : 0)),
    )
    nets = nets.map((net, place) => net - (amounts[place] ?? 0))
  }
  return new Map(items.map(({ id }, place) => [id, nets[place] ?? 0]))
}

interface Charged extends Pick<Change, 'anchor' | 'at'> {
  nets: ReadonlyMap<string, number>
}

function charge(item: Stripe.SubscriptionItem, { nets, anchor, at }: Charged): Proration {
  const { current_period_start: begin, current_period_end: end } = item
  const start = Math.max(at, begin)
  return {
    item,
    amount: remaining(nets.get(item.id) ?? 0, wholePeriod(item, anchor), start),
    period: { start, end },
    quantity: item.quantity ?? 1,
    credited: null,
  }
}

/** What a price is for: the time until a later anchor is only a part of it. */
function wholePeriod(item: Stripe.SubscriptionItem, anchor: number): Period {
  const { current_period_start: start, current_period_end: end } = item
  return anchor > start ? periodAround(anchor, everyOf(item), start) : { start, end }
}

interface Credits {
  credits: Proration[]
  debits: Debit[]
}

function creditsFor(change: Change, isMeant: (item: string) => boolean): Credits {
  if (!change.isProrated) return { credits: [], debits: [...change.debits] }
  const meant = change.debits.filter((debit) => isMeant(debit.item) && debit.end > change.at)
  const debits = change.debits.filter((debit) => !meant.includes(debit))
  const credits = meant.flatMap((debit) => {
    const item = itemOf(change, debit.item)
    return item ? [creditOf(debit, item, change.at)] : []
  })
  return { credits, debits }
}

function itemOf({ items }: Change, id: string): Stripe.SubscriptionItem | undefined {
  return items.find(({ before }) => before?.id === id)?.before
}

/** The unused part of what was charged, whatever the price is now. */
function creditOf(debit: Debit, item: Stripe.SubscriptionItem, at: number): Proration {
  const amount = remaining(debit.amount, debit, at)
  const period = { start: Math.max(at, debit.start), end: debit.end }
  // Never a negative zero, which would be shown as one.
  return { item, amount: amount === 0 ? 0 : -amount, period, quantity: debit.quantity, credited: debit }
}
