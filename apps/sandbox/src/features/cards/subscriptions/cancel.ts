import type Stripe from 'stripe'
import { emitEvent } from '../events/events.writes.ts'
import { automaticCollection, saveInvoice, voidInvoice } from '../invoices/invoices.writes.ts'
import type { Call } from '../requests/call.ts'
import { draftsOf, openInvoicesOf } from '../store/invoices.queries.ts'
import { findLocked, save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { noSuch } from '../wire/refusal.ts'
import { freshSubscription } from './create.ts'
import type { StoredSubscription } from './invoice-outcome.ts'
import { lockedSubscription, refuseConcurrent } from './locked.ts'
import { dropPending } from './pending-update.ts'
import { endSchedule } from './schedule-end.ts'
import { noDetails } from './subscriptions.rules.ts'

/** Ends a subscription at once. */
export async function cancelSubscription(call: Call, id: string): Promise<Stripe.Subscription> {
  await refuseConcurrent(call, id)
  const found = await lockedSubscription(call, id)
  if (found.object.ended_at !== null) throw noSuch('subscription', id, { param: 'id', status: 404 })
  const stored = await dropPending(call, found)
  const at = epochSeconds(call.now)
  const ended = await endSubscription(call, stored, { reason: 'cancellation_requested', at })
  if (stored.object.status === 'incomplete') await voidFirst(call, ended.object)
  return freshSubscription(call, ended)
}

interface End {
  /** Epoch seconds. */
  at: number
  /** Missing if it was known before. */
  reason?: Stripe.Subscription.CancellationDetails.Reason
}

/** Stores the end, with its event. What is open is not collected automatically any more. */
export async function endSubscription(
  call: Call,
  stored: StoredSubscription,
  { reason, at }: End,
): Promise<StoredSubscription> {
  const ended: StoredSubscription = {
    ...stored,
    object: {
      ...stored.object,
      cancellation_details: { ...(stored.object.cancellation_details ?? noDetails), ...(reason && { reason }) },
      canceled_at: stored.object.canceled_at ?? at,
      ended_at: at,
      pending_update: null,
      status: 'canceled',
    },
    hidden: { ...stored.hidden, incompleteUntil: null, pending: null, phaseEnd: null },
  }
  await save(call.tx, ended)
  await endSchedule(call, ended.object, at)
  await emitEvent(call, { type: 'customer.subscription.deleted', object: ended.object })
  await stopCollecting(call, ended.object.id)
  return ended
}

async function stopCollecting(call: Call, id: string): Promise<void> {
  for (const invoice of [...(await openInvoicesOf(call.tx, id)), ...(await draftsOf(call.tx, id))]) {
    const object = { ...invoice.object, ...automaticCollection(false, epochSeconds(call.now)) }
    await saveInvoice(call, invoice, { ...invoice, object })
  }
}

/** A first invoice that nobody paid must not be paid after the end. */
async function voidFirst(call: Call, { latest_invoice }: Stripe.Subscription): Promise<void> {
  const invoice = await findLocked(call.tx, 'invoice', idOf(latest_invoice) ?? '')
  if (invoice?.object.status === 'open') await voidInvoice(call, invoice)
}
