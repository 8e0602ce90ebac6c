import type Stripe from 'stripe'
import { customer } from '../customers/customers.writes.ts'
import { emitEvent } from '../events/events.writes.ts'
import { saveItems } from '../invoice-items/items.writes.ts'
import { automaticCollection, finalizeInvoice, saveInvoice, voidInvoice } from '../invoices/invoices.writes.ts'
import type { Call } from '../requests/call.ts'
import { draftsOf, openInvoicesOf, pendingOfSubscription } from '../store/invoices.queries.ts'
import { findLocked, save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { noSuch } from '../wire/refusal.ts'
import { billOf, saveBill } from './bill.ts'
import { collect } from './collect.ts'
import { freshSubscription } from './create.ts'
import type { StoredSubscription } from './invoice-outcome.ts'
import { lockedSubscription, refuseConcurrent } from './locked.ts'
import { dropPending } from './pending-update.ts'
import { planUpdate } from './plan-update.ts'
import { endSchedule } from './schedule-end.ts'
import type { CancellationDetails } from './subscriptions.parameters.ts'
import { withDetails } from './subscriptions.rules.ts'

interface Cancellation {
  cancellation_details?: CancellationDetails | undefined
  invoice_now?: boolean | undefined
  prorate?: boolean | undefined
}

/** Ends a subscription at once. */
export async function cancelSubscription(call: Call, id: string, given: Cancellation): Promise<Stripe.Subscription> {
  await refuseConcurrent(call, id)
  const found = await lockedSubscription(call, id)
  if (found.object.ended_at !== null) throw noSuch('subscription', id, { param: 'id', status: 404 })
  const stored = await dropPending(call, found)
  const isFirstUnpaid = stored.object.status === 'incomplete'
  if (given.prorate === true && !isFirstUnpaid) {
    await saveItems(call, (await planUpdate(call, stored, { cancels: true })).prorations)
  }
  const details = withDetails(stored.object.cancellation_details, given.cancellation_details)
  const ended = await endSubscription(call, stored, {
    details: { ...details, reason: 'cancellation_requested' },
    at: epochSeconds(call.now),
  })
  if (isFirstUnpaid) await voidFirst(call, ended.object)
  if (given.invoice_now === true) await invoiceNow(call, ended.object)
  return freshSubscription(call, ended)
}

interface End {
  /** Epoch seconds. */
  at: number
  /** Missing if nobody said anything new. */
  details?: Stripe.Subscription.CancellationDetails
}

/** Stores the end, with its event. What is open is not collected automatically any more. */
export async function endSubscription(
  call: Call,
  stored: StoredSubscription,
  { details, at }: End,
): Promise<StoredSubscription> {
  const ended: StoredSubscription = {
    ...stored,
    object: {
      ...stored.object,
      cancellation_details: details ?? stored.object.cancellation_details,
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

/** The last invoice: what waits for one is charged or credited. */
async function invoiceNow(call: Call, object: Stripe.Subscription): Promise<void> {
  const items = await pendingOfSubscription(call.tx, object.id)
  if (items.length === 0) return
  const bill = await billOf(call, {
    subscription: object,
    customer: await customer(call.tx, idOf(object.customer) ?? ''),
    reason: 'manual',
    items: [],
    invoiceItems: items,
  })
  const invoice = await finalizeInvoice(call, await saveBill(call, bill, items))
  await collect(call, invoice, { behavior: 'allow_incomplete', isOffSession: true })
}
