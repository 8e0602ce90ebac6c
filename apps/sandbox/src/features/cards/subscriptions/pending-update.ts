import type Stripe from 'stripe'
import { emitEvent } from '../events/events.writes.ts'
import { type StoredInvoice, voidInvoice } from '../invoices/invoices.writes.ts'
import type { Call } from '../requests/call.ts'
import { nextPeriodEnd } from '../store/due.rules.ts'
import { find, findLocked } from '../store/store.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { type StoredSubscription, saveSubscription, withoutPending } from './invoice-outcome.ts'

/** How long a change waits for its payment, in seconds. */
const pendingSeconds = 23 * 3600

/** The change was not paid at once: it waits, visible as `pending_update`, and the items stay. */
export async function keepPending(call: Call, id: string, invoice: StoredInvoice): Promise<void> {
  const found = await findLocked(call.tx, 'subscription', id)
  const { pending } = found?.hidden ?? {}
  if (!found || !pending || invoice.object.status !== 'open') return
  const { after } = pending
  const before = found.object
  const pending_update: Stripe.Subscription.PendingUpdate = {
    billing_cycle_anchor:
      after.billing_cycle_anchor === before.billing_cycle_anchor ? null : after.billing_cycle_anchor,
    cancel_at_period_end: changed(before.cancel_at_period_end, after.cancel_at_period_end),
    discount: null,
    discounts: changed(before.discounts, after.discounts),
    expires_at: expiryOf(before, epochSeconds(call.now)),
    metadata: changed(before.metadata, after.metadata),
    subscription_items: after.items.data,
    trial_end: after.trial_end === before.trial_end ? null : after.trial_end,
    trial_from_plan: null,
  }
  await saveSubscription(call, found, { ...found, object: { ...before, pending_update } })
}

function changed<Value>(before: Value, after: Value): Value | null {
  return JSON.stringify(before) === JSON.stringify(after) ? null : after
}

/** The earliest of 23 hours, the end of the trial and the end of the period. */
function expiryOf(subscription: Stripe.Subscription, now: number): number {
  const trialEnd = subscription.status === 'trialing' ? subscription.trial_end : null
  return Math.min(now + pendingSeconds, trialEnd ?? Number.POSITIVE_INFINITY, nextPeriodEnd(subscription) ?? now)
}

/** Another change drops the one that waits, and voids its invoice. */
export async function dropPending(call: Call, stored: StoredSubscription): Promise<StoredSubscription> {
  const { pending } = stored.hidden
  if (!pending) return stored
  await voidOpen(call, pending.invoice)
  return saveSubscription(call, stored, withoutPending(stored))
}

/** The change was not paid in time. */
export async function expirePending(call: Call, stored: StoredSubscription): Promise<void> {
  const { pending } = stored.hidden
  if (pending) await voidOpen(call, pending.invoice)
  const after = await saveSubscription(call, stored, withoutPending(stored))
  await emitEvent(call, { type: 'customer.subscription.pending_update_expired', object: after.object })
}

async function voidOpen(call: Call, id: string): Promise<void> {
  const seen = await find(call.tx, 'invoice', id)
  const invoice = seen && (await findLocked(call.tx, 'invoice', id))
  if (invoice?.object.status === 'open') await voidInvoice(call, invoice)
}
