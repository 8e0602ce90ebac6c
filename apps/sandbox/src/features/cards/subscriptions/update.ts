import type Stripe from 'stripe'
import { customer } from '../customers/customers.writes.ts'
import { onceAmong, redeem } from '../discounts/discounts.writes.ts'
import { emitEvent } from '../events/events.writes.ts'
import type { StoredItem } from '../invoice-items/items.rules.ts'
import { saveItems } from '../invoice-items/items.writes.ts'
import type { InvoiceParts } from '../invoices/invoice.rules.ts'
import { missingLocation } from '../invoices/invoices.writes.ts'
import type { Call } from '../requests/call.ts'
import { save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { taxationOf } from '../tax/tax.rules.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { mergedMetadata, present } from '../wire/parameters.rules.ts'
import { addedItems } from './added-items.ts'
import { billOf, debitsWith, pendingDebits, saveBill } from './bill.ts'
import { collect } from './collect.ts'
import { usedBy, withoutDiscounts } from './consume-once.ts'
import { freshSubscription } from './create.ts'
import { afterPayment, type StoredSubscription, saveSubscription } from './invoice-outcome.ts'
import { refuseForeignCard } from './items.writes.ts'
import { lockedSubscription, refuseConcurrent } from './locked.ts'
import { finalizeBill } from './paused-collection.ts'
import { dropPending, keepPending } from './pending-update.ts'
import { type PlannedUpdate, planUpdate } from './plan-update.ts'
import type { Updated } from './subscriptions.parameters.ts'
import { automaticTax, changedEnd, trialSettings } from './subscriptions.rules.ts'
import { refuseInState, refuseUnsupportedPending } from './update.rules.ts'

/** Changes a subscription, and invoices and collects what the change costs as far as the request says. */
export async function updateSubscription(call: Call, id: string, given: Updated): Promise<Stripe.Subscription> {
  await refuseConcurrent(call, id)
  const found = await lockedSubscription(call, id)
  refuseInState(found.object, given)
  const behavior = given.payment_behavior ?? 'allow_incomplete'
  if (behavior === 'pending_if_incomplete') refuseUnsupportedPending(given)
  const stored = await dropPending(call, found)
  await refuseUnusable(call, stored.object, given)

  const planned = await planUpdate(call, stored, {
    ...given,
    discounts: await discountsAfter(call, stored.object, given),
  })
  const after = withOwnFields(planned.after, given, epochSeconds(call.now))
  const added = await addedItems(call, after, given.add_invoice_items ?? [])
  const created = [...added, ...planned.prorations]
  await saveItems(call, created)
  const change = { stored, planned, after, created }
  if (!planned.isInvoiced) {
    await saveUninvoiced(call, change)
    return freshSubscription(call, stored)
  }

  // No payment can fail that is not tried.
  const isKept = behavior === 'pending_if_incomplete' && after.pause_collection === null
  const holder = await customer(call.tx, idOf(after.customer) ?? '')
  const bill = await billOf(call, {
    subscription: after,
    customer: holder,
    reason: 'subscription_update',
    items: planned.plan.renewed,
    invoiceItems: [...planned.pending, ...created],
    prorationDate: planned.prorationDate,
  })
  await saveInvoiced(call, change, { bill, isKept })
  const draft = await saveBill(call, bill, [...planned.pending, ...created])
  const invoice = await finalizeBill(call, draft, after.pause_collection)
  const isOffSession = given.off_session ?? false
  const collected = await collect(call, invoice, { behavior, isOffSession })
  if (isKept) await keepPending(call, stored.object.id, collected)
  // It costs nothing: its invoice was paid without a payment.
  if (isKept && invoice.object.status === 'paid') await afterPayment(call, invoice.object, null)
  return freshSubscription(call, stored)
}

interface Change {
  stored: StoredSubscription
  planned: PlannedUpdate
  after: Stripe.Subscription
  created: readonly StoredItem[]
}

/** Its costs wait for the next invoice. */
async function saveUninvoiced(call: Call, { stored, planned, after, created }: Change): Promise<void> {
  const once = await onceAmong(call, planned.plan.discounts)
  await saveSubscription(call, stored, {
    ...stored,
    object: withoutDiscounts(after, once),
    hidden: { ...stored.hidden, debits: [...planned.plan.debits, ...pendingDebits(created)] },
  })
  await emitEnded(call, once)
}

interface Invoiced {
  bill: InvoiceParts
  /** The change waits until its invoice is paid. */
  isKept: boolean
}

async function saveInvoiced(call: Call, { stored, planned, after }: Change, { bill, isKept }: Invoiced): Promise<void> {
  const once = await onceAmong(call, [...planned.plan.discounts, ...usedBy(bill.object)])
  const changed = { ...withoutDiscounts(after, once), latest_invoice: bill.object.id }
  const debits = debitsWith(planned.plan.debits, bill)
  if (isKept) {
    const pending = { invoice: bill.object.id, after: changed, debits }
    const object = { ...stored.object, latest_invoice: bill.object.id }
    await save(call.tx, { ...stored, object, hidden: { ...stored.hidden, pending } })
  } else {
    await saveSubscription(call, stored, { ...stored, object: changed, hidden: { ...stored.hidden, debits } })
  }
  await emitEnded(call, once)
}

async function emitEnded(call: Call, discounts: readonly Stripe.Discount[]): Promise<void> {
  for (const discount of discounts) await emitEvent(call, { type: 'customer.discount.deleted', object: discount })
}

/** Ids of the discounts that it has from now on. Coupons are redeemed. */
async function discountsAfter(call: Call, { id, customer, currency, discounts }: Stripe.Subscription, given: Updated) {
  const holder = { customer: idOf(customer) ?? '', subscription: id, currency }
  if (given.discounts !== undefined) return redeem(call, given.discounts, holder)
  return discounts.map((discount) => idOf(discount) ?? '')
}

/** @throws Refusal for a foreign card, or automatic tax without a usable address */
async function refuseUnusable(call: Call, object: Stripe.Subscription, given: Updated): Promise<void> {
  const id = idOf(object.customer) ?? ''
  if (given.default_payment_method) await refuseForeignCard(call, given.default_payment_method, id)
  const isTaxed = given.automatic_tax?.enabled ?? object.automatic_tax.enabled
  if (isTaxed && !taxationOf(await customer(call.tx, id))) throw missingLocation()
}

/** With the fields that cost nothing. */
function withOwnFields(before: Stripe.Subscription, given: Updated, now: number): Stripe.Subscription {
  const saved = given.payment_settings?.save_default_payment_method
  return {
    ...before,
    ...(given.automatic_tax && { automatic_tax: automaticTax(given.automatic_tax.enabled) }),
    ...present({ default_payment_method: given.default_payment_method, description: given.description }),
    ...(given.pause_collection !== undefined && {
      pause_collection: given.pause_collection && { ...given.pause_collection, resumes_at: null },
    }),
    ...(given.trial_settings && { trial_settings: trialSettings(given.trial_settings) }),
    ...(saved &&
      before.payment_settings && {
        payment_settings: { ...before.payment_settings, save_default_payment_method: saved },
      }),
    ...changedEnd(before, given, now),
    metadata: mergedMetadata(before.metadata, given.metadata),
  }
}
