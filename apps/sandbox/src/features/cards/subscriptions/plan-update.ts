import type Stripe from 'stripe'
import { type GivenDiscounts, type WantedDiscount, wantedDiscounts } from '../discounts/discounts.writes.ts'
import type { StoredItem } from '../invoice-items/items.rules.ts'
import type { Call } from '../requests/call.ts'
import { pendingOfSubscription } from '../store/invoices.queries.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { mergedMetadata } from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'
import { prorationItems } from './bill.ts'
import { type ChangePlan, type ItemChange, planChange } from './change.rules.ts'
import type { StoredSubscription } from './invoice-outcome.ts'
import { itemDiscounts } from './item-discounts.ts'
import { newItem, planOf } from './items.rules.ts'
import { refuseImpossibleItems, usablePrice } from './items.writes.ts'
import type { GivenItem } from './subscriptions.parameters.ts'

/** The parts of a request that cost money: the same in an update and in its preview. */
export interface WantedChange {
  items?: GivenItem[] | undefined
  proration_behavior?: 'always_invoice' | 'create_prorations' | 'none' | undefined
  proration_date?: number | undefined
  billing_cycle_anchor?: { type: string } | undefined
  trial_end?: number | 'now' | undefined
  discounts?: GivenDiscounts | undefined
  /** Everything ends: all items are removed. */
  cancels?: boolean
}

export interface PlannedUpdate {
  plan: ChangePlan
  /** With its new items, periods, trial and discounts. */
  after: Stripe.Subscription
  /** New invoice items, not stored. */
  prorations: StoredItem[]
  /** Invoice items that wait for the next invoice already. */
  pending: StoredItem[]
  wanted: WantedDiscount[]
  wantedByItem: ReadonlyMap<string, WantedDiscount[]>
  /** Whether an invoice is due at once. */
  isInvoiced: boolean
  prorationDate: number
}

/** What a change of a subscription means and costs. Nothing is stored. */
export async function planUpdate(call: Call, stored: StoredSubscription, given: WantedChange): Promise<PlannedUpdate> {
  const { object, hidden } = stored
  const now = epochSeconds(call.now)
  const at = prorationDateOf(object, given.proration_date, now)
  const wanted = await wantedDiscounts(call, given.discounts ?? null, object.currency)
  const { changes, wantedByItem } = await itemChanges(call, object, given)
  const items = changes.flatMap(({ after }) => (after ? [after] : []))
  const isClassic = object.billing_mode.type === 'classic'
  if (!given.cancels) refuseImpossibleItems(items, isClassic)
  const discounts = given.discounts === undefined ? object.discounts : wanted.map(({ id }) => id)
  const changed = { ...object, discounts, items: { ...object.items, data: items } }
  const all = [...wanted, ...[...wantedByItem.values()].flat()]
  const trial = trialOf(object, given.trial_end, now)
  const plan = planChange({
    items: changes,
    debits: hidden.debits,
    discounts: await itemDiscounts(call, changed, all),
    anchor: object.billing_cycle_anchor,
    at,
    now,
    isProrated: given.proration_behavior !== 'none',
    isClassic,
    wasTrialing: object.status === 'trialing',
    restarts: given.billing_cycle_anchor?.type === 'now' || given.trial_end === 'now',
    trialEnd: trial.end,
  })
  const prorations = await prorationItems(call, object, plan)
  return {
    plan,
    after: afterPlan(changed, plan, trial),
    prorations,
    pending: await pendingOfSubscription(call.tx, object.id),
    wanted,
    wantedByItem,
    isInvoiced: plan.renewed.length > 0 || (given.proration_behavior === 'always_invoice' && prorations.length > 0),
    prorationDate: at,
  }
}

function prorationDateOf({ items }: Stripe.Subscription, date: number | undefined, now: number): number {
  if (date === undefined) return now
  const starts = items.data.map(({ current_period_start: start }) => start)
  const ends = items.data.map(({ current_period_end: end }) => end)
  if (date < Math.min(...starts) || date > Math.max(...ends)) {
    throw invalidRequest('Cannot specify proration date outside of current subscription period.', {
      param: 'subscription_proration_date',
    })
  }
  return date
}

interface Trial {
  /** The end of a trial that starts or goes on. */
  end: number | null
  /** Of the subscription afterwards. */
  fields: Partial<Pick<Stripe.Subscription, 'status' | 'trial_end' | 'trial_start'>>
}

function trialOf(before: Stripe.Subscription, given: number | 'now' | undefined, now: number): Trial {
  const isTrialing = before.status === 'trialing'
  if (given === undefined) return { end: isTrialing ? before.trial_end : null, fields: {} }
  if (given === 'now') {
    return { end: null, fields: isTrialing ? { status: 'active', trial_end: now } : {} }
  }
  if (given <= now) throw invalidRequest('Invalid timestamp: must be in the future.', { param: 'trial_end' })
  const trial_start = isTrialing ? before.trial_start : now
  return { end: given, fields: { status: 'trialing', trial_end: given, trial_start } }
}

function afterPlan(changed: Stripe.Subscription, plan: ChangePlan, { fields }: Trial): Stripe.Subscription {
  return {
    ...changed,
    ...fields,
    billing_cycle_anchor: plan.anchor,
    items: { ...changed.items, data: plan.items },
  }
}

interface Changes {
  changes: ItemChange[]
  wantedByItem: Map<string, WantedDiscount[]>
}

async function itemChanges(call: Call, object: Stripe.Subscription, given: WantedChange): Promise<Changes> {
  const changes: ItemChange[] = object.items.data.map((before) => ({
    before,
    after: given.cancels ? undefined : before,
  }))
  const wantedByItem = new Map<string, WantedDiscount[]>()
  for (const [place, entry] of (given.items ?? []).entries()) {
    const own =
      entry.discounts === undefined ? undefined : await wantedDiscounts(call, entry.discounts, object.currency)
    if (entry.id === undefined) {
      const after = await addedItem(call, object, { ...entry, own })
      wantedByItem.set(after.id, own ?? [])
      changes.push({ before: undefined, after })
      continue
    }
    const change = changes.find(({ before }) => before?.id === entry.id)
    if (!change?.after) throw noSuch('subscription item', entry.id, { param: `items[${place}][id]` })
    change.after = entry.deleted === true ? undefined : await changedItem(call, change.after, { ...entry, own })
    if (own) wantedByItem.set(entry.id, own)
  }
  return { changes, wantedByItem }
}

interface WantedItem extends Omit<GivenItem, 'discounts'> {
  /** Its own discounts; missing if they stay. */
  own: readonly WantedDiscount[] | undefined
}

async function addedItem(
  call: Call,
  { id, currency }: Stripe.Subscription,
  entry: WantedItem,
): Promise<Stripe.SubscriptionItem> {
  if (entry.price === undefined) {
    throw invalidRequest('Missing required param: items[0][price].', {
      code: 'parameter_missing',
      param: 'items[0][price]',
    })
  }
  return newItem({
    subscription: id,
    price: await usablePrice(call, entry.price, { type: 'recurring', currency }),
    quantity: entry.quantity ?? 1,
    metadata: entry.metadata ?? {},
    discounts: (entry.own ?? []).map((discount) => discount.id),
    now: epochSeconds(call.now),
  })
}

async function changedItem(
  call: Call,
  before: Stripe.SubscriptionItem,
  entry: WantedItem,
): Promise<Stripe.SubscriptionItem> {
  const isOther = entry.price !== undefined && entry.price !== before.price.id
  const price = isOther
    ? await usablePrice(call, entry.price ?? '', { type: 'recurring', currency: before.price.currency })
    : before.price
  return {
    ...before,
    ...(isOther && { price, plan: planOf(price) }),
    ...(entry.quantity !== undefined && { quantity: entry.quantity }),
    ...(entry.own && { discounts: entry.own.map((discount) => discount.id) }),
    metadata: mergedMetadata(before.metadata, entry.metadata),
  }
}
