import type Stripe from 'stripe'
import { setDelinquent } from '../customers/customers.writes.ts'
import { emitEvent } from '../events/events.writes.ts'
import { type StoredInvoice, saveInvoice } from '../invoices/invoices.writes.ts'
import { chargeInvoice, defaultMethodOf, freshInvoice } from '../invoices/pay.ts'
import type { Call } from '../requests/call.ts'
import { nextAttempt } from '../store/retries.rules.ts'
import { retrySettings } from '../store/settings.queries.ts'
import { find, findLocked } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { endSubscription } from '../subscriptions/cancel.ts'
import { afterFailure, saveSubscription } from '../subscriptions/invoice-outcome.ts'
import { pauseSubscription } from '../subscriptions/pause.ts'
import { epochSeconds } from '../wire/ids.rules.ts'

/** Tries to collect an open invoice, without the customer. After the last failure its subscription ends, or waits. */
export async function attemptInvoice(call: Call, open: StoredInvoice): Promise<void> {
  const settings = await retrySettings(call.tx)
  const retries = open.hidden.retries + 1
  const next_payment_attempt = nextAttempt(settings, retries, epochSeconds(call.now))
  const method = await defaultMethodOf(call, open.object)
  // After a hard decline the same card is not charged again.
  const isBlocked = method !== null && method === open.hidden.declinedMethod
  const object: Stripe.Invoice = {
    ...open.object,
    attempt_count: open.object.attempt_count + 1,
    attempted: true,
    next_payment_attempt,
  }
  const attempted = await saveInvoice(call, open, { ...open, object, hidden: { ...open.hidden, retries } })
  if (method === null) await failWithoutMethod(call, attempted)
  else if (!isBlocked) await chargeInvoice(call, attempted, { isOffSession: true })

  const { object: after } = await freshInvoice(call, attempted)
  if (after.status === 'open') await setDelinquent(call, idOf(after.customer) ?? '', true)
  if (after.status === 'open' && next_payment_attempt === null) await giveUp(call, after, settings.afterRetries)
}

async function failWithoutMethod(call: Call, open: StoredInvoice): Promise<void> {
  await emitEvent(call, { type: 'invoice.payment_failed', object: open.object })
  await afterFailure(call, open.object)
}

/** Of any invoice of a subscription; one whose latest invoice is paid is left alone. */
async function giveUp(call: Call, { parent }: Stripe.Invoice, outcome: string): Promise<void> {
  const id = idOf(parent?.subscription_details?.subscription)
  const found = id === null ? undefined : await findLocked(call.tx, 'subscription', id)
  if (!found || found.object.ended_at !== null) return
  const latest = await find(call.tx, 'invoice', idOf(found.object.latest_invoice) ?? '')
  if (latest?.object.status === 'paid') return
  if (outcome === 'cancel') {
    await endSubscription(call, found, { reason: 'payment_failed', at: epochSeconds(call.now) })
  }
  if (outcome === 'unpaid') {
    await saveSubscription(call, found, { ...found, object: { ...found.object, status: 'unpaid' } })
  }
  if (outcome === 'pause' || outcome === 'stay_paused') await pauseSubscription(call, found, 'final_payment_failure')
}
