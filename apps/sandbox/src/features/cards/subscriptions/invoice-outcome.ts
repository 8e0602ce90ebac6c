import type Stripe from 'stripe'
import { emitChange, emitEvent } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { openInvoicesOf } from '../store/invoices.queries.ts'
import { retrySettings } from '../store/settings.queries.ts'
import { find, findLocked, save } from '../store/store.ts'
import { idOf, type StoredOf } from '../store/stored.ts'
import { epochSeconds } from '../wire/ids.rules.ts'

export type StoredSubscription = StoredOf<'subscription'>

/** Saves a changed subscription, with its event if anything changed. */
export async function saveSubscription(
  call: Call,
  before: StoredSubscription,
  after: StoredSubscription,
): Promise<StoredSubscription> {
  await save(call.tx, after)
  await emitChange(call, 'customer.subscription.updated', { before: before.object, after: after.object })
  return after
}

/** The subscription of an invoice, locked. */
async function subscriptionOf(call: Call, invoice: Stripe.Invoice): Promise<StoredSubscription | undefined> {
  const id = idOf(invoice.parent?.subscription_details?.subscription)
  return id === null ? undefined : findLocked(call.tx, 'subscription', id)
}

/** An invoice was paid: its subscription is active, and a change that waited for it is applied. */
export async function afterPayment(call: Call, invoice: Stripe.Invoice, paymentMethod: string | null): Promise<void> {
  const found = await subscriptionOf(call, invoice)
  if (!found || found.object.ended_at !== null) return
  const applied = withPendingChange(found, invoice.id)
  const isLatest = idOf(applied.object.latest_invoice) === invoice.id
  const isRecovered = await recovers(call, found, invoice.id)
  const isSaved = applied.object.payment_settings?.save_default_payment_method === 'on_subscription'
  const after: StoredSubscription = {
    ...applied,
    hidden: { ...applied.hidden, ...(isLatest && { incompleteUntil: null }) },
    object: {
      ...applied.object,
      ...(isRecovered && { status: 'active' }),
      ...(isSaved && paymentMethod !== null && { default_payment_method: paymentMethod }),
    },
  }
  await saveSubscription(call, found, after)
  // A change whose payment succeeded at once never was a pending update.
  if (applied !== found && found.object.pending_update)
    await emitEvent(call, { type: 'customer.subscription.pending_update_applied', object: after.object })
}

/**
 * Whether a payment makes a subscription active that waited for one: it paid the latest invoice, or the latest is no draft and nothing
 * is open any more. The invoice of a change that waits says nothing about the periods before.
 */
async function recovers(call: Call, { object, hidden }: StoredSubscription, invoice: string): Promise<boolean> {
  if (object.status === 'incomplete') return idOf(object.latest_invoice) === invoice
  const pausedFor = object.status === 'paused' && object.status_details?.paused.subscription.type
  // What was paid resumes it only if the vendor has set that up.
  if (pausedFor === 'final_payment_failure' && (await retrySettings(call.tx)).afterRetries === 'stay_paused')
    return false
  const waits = object.status === 'past_due' || object.status === 'unpaid' || pausedFor === 'final_payment_failure'
  if (!waits) return false
  const change = hidden.pending?.invoice
  if (change === invoice) return false
  if (idOf(object.latest_invoice) === invoice) return true
  const latest = await find(call.tx, 'invoice', idOf(object.latest_invoice) ?? '')
  if (latest?.object.status === 'draft') return false
  const open = await openInvoicesOf(call.tx, object.id)
  return open.every(({ object: { id } }) => id === invoice || id === change)
}

function withPendingChange(stored: StoredSubscription, invoice: string): StoredSubscription {
  const { pending } = stored.hidden
  if (pending?.invoice !== invoice) return stored
  const { items, billing_cycle_anchor, discounts, metadata, cancel_at, cancel_at_period_end, canceled_at } =
    pending.after
  const { trial_end, trial_start, status, cancellation_details } = pending.after
  return {
    ...stored,
    object: {
      ...stored.object,
      ...{ items, billing_cycle_anchor, discounts, metadata, trial_end, trial_start, status },
      ...{ cancel_at, cancel_at_period_end, canceled_at, cancellation_details },
      pending_update: null,
    },
    hidden: { ...stored.hidden, debits: pending.debits, pending: null },
  }
}

/** An attempt failed: a subscription that runs is past due. A change that waits for its payment goes on waiting. */
export async function afterFailure(call: Call, invoice: Stripe.Invoice): Promise<void> {
  const found = await subscriptionOf(call, invoice)
  if (!found) return
  const { status, latest_invoice, pending_update } = found.object
  const isLatest = idOf(latest_invoice) === invoice.id
  if (!isLatest || (status !== 'active' && status !== 'trialing') || pending_update) return
  if (found.hidden.pending?.invoice === invoice.id) return
  await saveSubscription(call, found, { ...found, object: { ...found.object, status: 'past_due' } })
}

/** An invoice was voided or given up. */
export async function afterVoid(call: Call, invoice: Stripe.Invoice): Promise<void> {
  const found = await subscriptionOf(call, invoice)
  if (!found || found.object.ended_at !== null) return
  if (found.hidden.pending?.invoice === invoice.id) {
    await saveSubscription(call, found, withoutPending(found))
    return
  }
  const isLatest = idOf(found.object.latest_invoice) === invoice.id
  const debits = found.hidden.debits.filter((debit) => debit.invoice !== invoice.id)
  const hidden = { ...found.hidden, ...(invoice.status === 'void' && { debits }) }
  const { status } = found.object
  if (isLatest && status === 'incomplete' && invoice.status === 'void') {
    await expire(call, { ...found, hidden })
    return
  }
  const isSettled = isLatest && (status === 'past_due' || status === 'unpaid')
  await saveSubscription(call, found, {
    ...found,
    hidden,
    object: { ...found.object, ...(isSettled && { status: 'active' }) },
  })
}

export function withoutPending(stored: StoredSubscription): StoredSubscription {
  return {
    ...stored,
    object: { ...stored.object, pending_update: null },
    hidden: { ...stored.hidden, pending: null },
  }
}

/** The first invoice was never paid: the subscription is over. */
export async function expire(call: Call, found: StoredSubscription): Promise<void> {
  const now = epochSeconds(call.now)
  await saveSubscription(call, found, {
    ...found,
    object: { ...found.object, canceled_at: now, ended_at: now, status: 'incomplete_expired' },
    hidden: { ...found.hidden, incompleteUntil: null },
  })
}
