import type Stripe from 'stripe'
import {
  finalizeInvoice,
  lockedInvoice,
  markUncollectible,
  type StoredInvoice,
  voidInvoice,
} from '../invoices/invoices.writes.ts'
import { authenticationMissing, chargeInvoice, freshInvoice } from '../invoices/pay.ts'
import type { Call } from '../requests/call.ts'
import { save } from '../store/store.ts'
import { afterVoid } from '../subscriptions/invoice-outcome.ts'
import { refuseConcurrent } from '../subscriptions/locked.ts'
import { invalidRequest, Refusal } from '../wire/refusal.ts'
import type { PaidInvoice } from './invoices.parameters.ts'

/** Pays an invoice now, by card. */
export async function payInvoice(call: Call, id: string, given: PaidInvoice): Promise<Stripe.Invoice | Refusal> {
  await refuseConcurrent(call, id)
  const found = await lockedInvoice(call, id)
  const open = found.object.status === 'draft' ? await finalizeInvoice(call, found) : found
  // Nothing was due: it is paid by its finalization.
  if (found !== open && open.object.status === 'paid') return open.object
  refuseUnpayable(open)

  const counted = await countFirst(call, open)
  const outcome = await chargeInvoice(call, counted, {
    paymentMethod: given.payment_method,
    isOffSession: given.off_session,
  })
  if (outcome instanceof Refusal) return outcome
  return outcome.status === 'succeeded' ? (await freshInvoice(call, open)).object : authenticationMissing(outcome)
}

/** Any attempt counts as the first one; later ones count only if they are retries. */
async function countFirst(call: Call, open: StoredInvoice): Promise<StoredInvoice> {
  if (open.object.attempt_count > 0) return open
  const counted: StoredInvoice = { ...open, object: { ...open.object, attempt_count: 1 } }
  await save(call.tx, counted)
  return counted
}

function refuseUnpayable({ object: { status } }: StoredInvoice): void {
  if (status === 'open' || status === 'uncollectible') return
  const message =
    status === 'paid' ? 'Invoice is already paid' : `You cannot pay an invoice with a status of ${status}.`
  throw invalidRequest(message, { code: 'status_transition_invalid' })
}

export async function voidOnRequest(call: Call, id: string): Promise<Stripe.Invoice> {
  await refuseConcurrent(call, id)
  const voided = await voidInvoice(call, await lockedInvoice(call, id))
  await afterVoid(call, voided.object)
  return voided.object
}

export async function markUncollectibleOnRequest(call: Call, id: string): Promise<Stripe.Invoice> {
  await refuseConcurrent(call, id)
  const marked = await markUncollectible(call, await lockedInvoice(call, id))
  await afterVoid(call, marked.object)
  return marked.object
}
