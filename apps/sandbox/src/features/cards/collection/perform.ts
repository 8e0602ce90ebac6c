import type Stripe from 'stripe'
import { lockedCustomer } from '../customers/customers.writes.ts'
import { emitEvent } from '../events/events.writes.ts'
import { type StoredInvoice, voidInvoice } from '../invoices/invoices.writes.ts'
import type { Call } from '../requests/call.ts'
import { enterPhase } from '../schedules/enter-phase.ts'
import { dueAtOf, dueOf, type SubscriptionDue } from '../store/due.rules.ts'
import { find, findLocked, save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { endSubscription } from '../subscriptions/cancel.ts'
import { afterVoid, expire, type StoredSubscription } from '../subscriptions/invoice-outcome.ts'
import { finalizeBill, pauseOf } from '../subscriptions/paused-collection.ts'
import { expirePending } from '../subscriptions/pending-update.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { Refusal } from '../wire/refusal.ts'
import { attemptInvoice } from './attempt.ts'
import { announceRenewal, announceTrialEnd, endTrial, renew } from './renew.ts'

/** Does what is due with a subscription or an invoice, if it still is. */
export async function performDue(call: Call, id: string): Promise<void> {
  const kind = id.startsWith('sub_') ? 'subscription' : 'invoice'
  const seen = await find(call.tx, kind, id)
  if (!seen) return
  // Everything of billing locks the customer first.
  await lockedCustomer(call.tx, idOf(seen.object.customer) ?? '')
  if (kind === 'subscription') {
    const found = await findLocked(call.tx, 'subscription', id)
    if (found) await performSubscription(call, found)
    return
  }
  const found = await findLocked(call.tx, 'invoice', id)
  if (found && (dueAtOf(found) ?? Number.POSITIVE_INFINITY) <= epochSeconds(call.now)) await performInvoice(call, found)
}

async function performInvoice(call: Call, found: StoredInvoice): Promise<void> {
  const open = found.object.status === 'draft' ? await finalized(call, found) : found
  if (open?.object.status === 'open') await attemptInvoice(call, open)
}

/** @returns `undefined` if it cannot be finalized, such as without an address to tax; it then stays a draft */
async function finalized(call: Call, draft: StoredInvoice): Promise<StoredInvoice | undefined> {
  try {
    return await finalizeBill(call, draft, await pauseOf(call, draft.object))
  } catch (error) {
    // It is refused before anything is stored.
    if (!(error instanceof Refusal)) throw error
    const { code, message } = error.body
    const object: Stripe.Invoice = {
      ...draft.object,
      automatically_finalizes_at: null,
      next_payment_attempt: null,
      last_finalization_error: { ...(code !== undefined && { code }), message, type: 'invalid_request_error' },
    }
    await save(call.tx, { ...draft, object })
    await emitEvent(call, { type: 'invoice.finalization_failed', object })
    return undefined
  }
}

const steps: Readonly<Record<SubscriptionDue, (call: Call, stored: StoredSubscription) => Promise<void>>> = {
  expire: expireFirst,
  expire_update: expirePending,
  cancel: reachEnd,
  enter_phase: enterPhase,
  announce_trial_end: announceTrialEnd,
  end_trial: endTrial,
  announce_renewal: announceRenewal,
  renew,
}

async function performSubscription(call: Call, found: StoredSubscription): Promise<void> {
  const [next] = dueOf(found)
  if (next && next.at <= epochSeconds(call.now)) await steps[next.what](call, found)
}

/** The first invoice was not paid in time: it is voided, and with it the subscription expires. */
async function expireFirst(call: Call, stored: StoredSubscription): Promise<void> {
  const invoice = await findLocked(call.tx, 'invoice', idOf(stored.object.latest_invoice) ?? '')
  if (invoice?.object.status !== 'open') return expire(call, stored)
  const { object } = await voidInvoice(call, invoice)
  await afterVoid(call, object)
}

async function reachEnd(call: Call, stored: StoredSubscription): Promise<void> {
  await endSubscription(call, stored, { at: stored.object.cancel_at ?? epochSeconds(call.now) })
}
