import { type StoredInvoice, saveInvoice } from '../invoices/invoices.writes.ts'
import { chargeInvoice, defaultMethodOf, freshInvoice, missingMethod } from '../invoices/pay.ts'
import type { Call } from '../requests/call.ts'
import { nextAttempt } from '../store/retries.rules.ts'
import { retrySettings } from '../store/settings.queries.ts'
import { save } from '../store/store.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import type { PaymentBehavior } from './subscriptions.parameters.ts'

interface Collection {
  behavior: PaymentBehavior
  isOffSession: boolean
}

/**
 * Tries to collect the invoice of a new or changed subscription at once.
 * @throws Refusal if there is no card at all
 */
export async function collect(
  call: Call,
  invoice: StoredInvoice,
  { behavior, isOffSession }: Collection,
): Promise<StoredInvoice> {
  if (invoice.object.status !== 'open' || behavior === 'default_incomplete') return invoice
  if ((await defaultMethodOf(call, invoice.object)) === null) throw missingMethod()
  const attempted: StoredInvoice = {
    ...invoice,
    object: { ...invoice.object, attempt_count: 1 },
  }
  await save(call.tx, attempted)
  await chargeInvoice(call, attempted, { isOffSession })
  const fresh = await freshInvoice(call, invoice)
  return isRetried(fresh, behavior) ? scheduleRetry(call, fresh) : fresh
}

/** The first invoice of a subscription is never retried, nor that of a change that waits for it. */
function isRetried({ object }: StoredInvoice, behavior: PaymentBehavior): boolean {
  return object.status === 'open' && object.billing_reason === 'subscription_update' && behavior === 'allow_incomplete'
}

async function scheduleRetry(call: Call, open: StoredInvoice): Promise<StoredInvoice> {
  const settings = await retrySettings(call.tx)
  const next_payment_attempt = nextAttempt(settings, 1, epochSeconds(call.now))
  const object = { ...open.object, next_payment_attempt }
  return saveInvoice(call, open, { ...open, object, hidden: { ...open.hidden, retries: 1 } })
}
