import type Stripe from 'stripe'
import { storedDiscounts } from '../discounts/discounts.writes.ts'
import type { StoredItem } from '../invoice-items/items.rules.ts'
import type { Call } from '../requests/call.ts'
import { pendingOfSubscription } from '../store/invoices.queries.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { mergedMetadata } from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'
import { prorationItems } from './bill.ts'
import { type ChangePlan, type ItemChange, planChange } from './change.rules.ts'
import type { StoredSubscription } from './invoice-outcome.ts'
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
  /** Ids of those that it has from now on; missing: as before. */
  discounts?: string[]
}

export interface PlannedUpdate {
  plan: ChangePlan
  /** With its new items, periods, trial and discounts. */
  after: Stripe.Subscription
  /** New invoice items, not stored. */
  prorations: StoredItem[]
  /** Invoice items that wait for the next invoice already. */
  pending: StoredItem[]
  /** Whether an invoice is due at once. */
  isInvoiced: boolean
  prorationDate: number
}

/** What a change of a subscription means and costs. Nothing is stored. */
export async function planUpdate(call: Call, stored: StoredSubscription, given: WantedChange): Promise<PlannedUpdate> {
  const { object, hidden } = stored
  const now = epochSeconds(call.now)
  const at = prorationDateOf(object, given.proration_date, now)
  const changes = await itemChanges(call, object, given.items ?? [])
  const items = changes.flatMap(({ after }) => (after ? [after] : []))
  refuseImpossibleItems(items)
  const { discounts = object.discounts } = given
  const changed = { ...object, discounts, items: { ...object.items, data: items } }
  const trial = trialOf(object, given.trial_end, now)
  const plan = planChange({
    items: changes,
    debits: hidden.debits,
    discounts: await storedDiscounts(call, discounts),
    anchor: object.billing_cycle_anchor,
    at,
    now,
    isProrated: given.proration_behavior !== 'none',
    restarts: given.billing_cycle_anchor?.type === 'now' || given.trial_end === 'now',
    trialEnd: trial.end,
  })
  const prorations = await prorationItems(call, object, plan)
  return {
    plan,
    after: afterPlan(changed, plan, trial),
    prorations,
    pending: await pendingOfSubscription(call.tx, object.id),
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

async function itemChanges(
  call: Call,
  object: Stripe.Subscription,
  given: readonly GivenItem[],
): Promise<ItemChange[]> {
  const changes: ItemChange[] = object.items.data.map((before) => ({ before, after: before }))
  for (const [place, entry] of given.entries()) {
    if (entry.id === undefined) {
      changes.push({ before: undefined, after: await addedItem(call, object, entry) })
      continue
    }
    const change = changes.find(({ before }) => before?.id === entry.id)
    if (!change?.after) throw noSuch('subscription item', entry.id, { param: `items[${place}][id]` })
    change.after = entry.deleted === true ? undefined : await changedItem(call, change.after, entry)
  }
  return changes
}

async function addedItem(
  call: Call,
  { id, currency }: Stripe.Subscription,
  entry: GivenItem,
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
    now: epochSeconds(call.now),
  })
}

async function changedItem(
  call: Call,
  before: Stripe.SubscriptionItem,
  entry: GivenItem,
): Promise<Stripe.SubscriptionItem> {
  const isOther = entry.price !== undefined && entry.price !== before.price.id
  const price = isOther
    ? await usablePrice(call, entry.price ?? '', { type: 'recurring', currency: before.price.currency })
    : before.price
  return {
    ...before,
    ...(isOther && { price, plan: planOf(price) }),
    ...(entry.quantity !== undefined && { quantity: entry.quantity }),
    metadata: mergedMetadata(before.metadata, entry.metadata),
  }
}
