import type Stripe from 'stripe'
import { lockedCustomer } from '../customers/customers.writes.ts'
import { redeem, storedDiscounts } from '../discounts/discounts.writes.ts'
import { emitEvent } from '../events/events.writes.ts'
import type { StoredItem } from '../invoice-items/items.rules.ts'
import { saveItems } from '../invoice-items/items.writes.ts'
import type { InvoiceParts } from '../invoices/invoice.rules.ts'
import { finalizeInvoice, missingLocation } from '../invoices/invoices.writes.ts'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import type { Call } from '../requests/call.ts'
import { oneByOne } from '../store/one-by-one.ts'
import { findLocked, save } from '../store/store.ts'
import { taxationOf } from '../tax/tax.rules.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { invalidRequest } from '../wire/refusal.ts'
import { addedItems } from './added-items.ts'
import { billOf, debitsWith, prorationItems, saveBill } from './bill.ts'
import { collect } from './collect.ts'
import { consumeOnce, usedBy } from './consume-once.ts'
import { firstPeriods, firstProrations, latestAnchor, startsLater } from './first-periods.rules.ts'
import type { StoredSubscription } from './invoice-outcome.ts'
import { newItem } from './items.rules.ts'
import { refuseForeignCard, refuseImpossibleItems, refuseOtherCurrency, usablePrice } from './items.writes.ts'
import { pendingSetup } from './pending-setup.ts'
import type { Created } from './subscriptions.parameters.ts'
import { changedEnd, incompleteSeconds, newSubscription } from './subscriptions.rules.ts'

/** A subscription that is not stored yet. */
interface Prepared {
  object: Stripe.Subscription
  customer: Stripe.Customer
}

/** Reads what a request wants to subscribe to, and redeems its coupons. */
async function prepare(call: Call, given: Created): Promise<Prepared> {
  const customer = await lockedCustomer(call.tx, given.customer, { param: 'customer' })
  const isTaxed = given.automatic_tax?.enabled === true
  if (isTaxed && !taxationOf(customer)) throw missingLocation()
  if (given.default_payment_method) {
    await refuseForeignCard(call, given.default_payment_method, customer.id)
  }
  const [first] = given.items
  const wantedCurrency = given.currency === undefined ? undefined : currencyOf(given.currency)
  const { currency } = first
    ? await usablePrice(call, first.price, { type: 'recurring', currency: wantedCurrency })
    : { currency: '' }
  refuseOtherCurrency(customer, currency)

  const now = epochSeconds(call.now)
  const trialEnd = trialEndOf(given, now)
  const anchor = trialEnd ?? given.billing_cycle_anchor ?? now
  const made = newSubscription({ given, customer: customer.id, currency, anchor, trialEnd, now })
  const items = await oneByOne(given.items, async ({ price, quantity = 1, metadata }) =>
    newItem({
      subscription: made.id,
      price: await usablePrice(call, price, { type: 'recurring', currency }),
      quantity,
      metadata: metadata ?? {},
      now,
    }),
  )
  refuseImpossibleItems(items)
  refuseLateAnchor(items, given, now)
  const holder = { customer: customer.id, subscription: made.id, currency }
  const discounts = await redeem(call, given.discounts ?? null, holder)
  const placed = { ...made, items: { ...made.items, data: firstPeriods(items, { anchor, trialEnd, now }) } }
  return { object: { ...placed, discounts, ...changedEnd(placed, given, now) }, customer }
}

function trialEndOf({ trial_end: end, trial_period_days: days, billing_cycle_anchor }: Created, now: number) {
  if (end !== undefined && days !== undefined) {
    throw invalidRequest('You can only specify one of `trial_end` and `trial_period_days`.', { param: 'trial_end' })
  }
  if (typeof end === 'number' && end <= now) {
    throw invalidRequest('The `trial_end` must be in the future.', { param: 'trial_end' })
  }
  const trialEnd = typeof end === 'number' ? end : daysAfter(now, days)
  if (trialEnd !== null && billing_cycle_anchor !== undefined) {
    throw invalidRequest('`billing_cycle_anchor` cannot be combined with a trial.', { param: 'billing_cycle_anchor' })
  }
  return trialEnd
}

function refuseLateAnchor(items: readonly Stripe.SubscriptionItem[], given: Created, now: number): void {
  const { billing_cycle_anchor: anchor } = given
  if (anchor === undefined || anchor <= latestAnchor(items, now)) return
  const param = 'billing_cycle_anchor'
  throw invalidRequest(
    `billing_cycle_anchor cannot be later than next natural billing date (${latestAnchor(items, now)}) for plan`,
    { param },
  )
}

function daysAfter(now: number, days: number | undefined): number | null {
  return days ? now + days * 86_400 : null
}

/** The first invoice of a subscription, not stored. */
async function firstBill(call: Call, { object, customer }: Prepared, given: Created): Promise<FirstBill> {
  const now = epochSeconds(call.now)
  const isLater = startsLater(object, now)
  const discounts = await storedDiscounts(call, object.discounts)
  const prorations = isLater && given.proration_behavior !== 'none' ? firstProrations(object, discounts, now) : []
  const invoiceItems = [
    ...(await addedItems(call, object, given.add_invoice_items ?? [])),
    ...(await prorationItems(call, object, { prorations })),
  ]
  const bill = await billOf(call, {
    subscription: object,
    customer,
    reason: 'subscription_create',
    items: isLater ? [] : object.items.data,
    isTrial: object.trial_end !== null,
    invoiceItems,
  })
  return { bill, invoiceItems, used: prorations.length > 0 ? discounts.map(({ id }) => id) : [] }
}

interface FirstBill {
  bill: InvoiceParts
  invoiceItems: StoredItem[]
  /** Discounts that reduced a proration. */
  used: string[]
}

/** Creates a subscription and its first invoice, and collects it as far as the request says. */
export async function createSubscription(call: Call, given: Created): Promise<Stripe.Subscription> {
  const behavior = given.payment_behavior ?? 'allow_incomplete'
  if (behavior === 'pending_if_incomplete') {
    throw invalidRequest('`payment_behavior=pending_if_incomplete` is for updates of a subscription.', {
      param: 'payment_behavior',
    })
  }
  const prepared = await prepare(call, given)
  const { bill, invoiceItems, used } = await firstBill(call, prepared, given)
  await saveItems(call, invoiceItems)
  const started = await saveStarted(call, prepared, bill)
  const draft = await saveBill(call, bill, invoiceItems)
  const invoice = await finalizeInvoice(call, draft)
  await consumeOnce(call, started.object.id, [...used, ...usedBy(invoice.object)])
  await collect(call, invoice, { behavior, isOffSession: given.off_session ?? false })
  return freshSubscription(call, started)
}

/** Stores the subscription: incomplete until its first invoice is paid, if that asks for money. */
async function saveStarted(call: Call, { object: made, customer }: Prepared, bill: InvoiceParts) {
  const isDue = bill.object.amount_due > 0
  const started: StoredSubscription = {
    kind: 'subscription',
    object: {
      ...made,
      latest_invoice: bill.object.id,
      pending_setup_intent: isDue ? null : await pendingSetup(call, made, customer),
      ...(isDue && { status: 'incomplete' }),
    },
    hidden: {
      debits: debitsWith([], bill),
      pending: null,
      incompleteUntil: isDue ? epochSeconds(call.now) + incompleteSeconds : null,
      announcedRenewal: null,
      announcedTrialEnd: null,
    },
  }
  await save(call.tx, started)
  await emitEvent(call, { type: 'customer.subscription.created', object: started.object })
  return started
}

export async function freshSubscription(call: Call, { object }: StoredSubscription): Promise<Stripe.Subscription> {
  return (await findLocked(call.tx, 'subscription', object.id))?.object ?? object
}
