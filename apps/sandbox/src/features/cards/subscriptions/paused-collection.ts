import type Stripe from 'stripe'
import { finalizeInvoice, markUncollectible, type StoredInvoice, voidInvoice } from '../invoices/invoices.writes.ts'
import type { Call } from '../requests/call.ts'
import { find, save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { afterVoid } from './invoice-outcome.ts'

type Paused = Stripe.Subscription.PauseCollection

/** How the collection of an invoice's subscription is paused; null: it is not. */
export async function pauseOf(call: Call, { parent }: Stripe.Invoice): Promise<Paused | null> {
  const subscription = await find(call.tx, 'subscription', idOf(parent?.subscription_details?.subscription) ?? '')
  return subscription?.object.pause_collection ?? null
}

/** Finalizes what a subscription invoices. While its collection is paused nobody is asked for it. */
export async function finalizeBill(call: Call, draft: StoredInvoice, pause: Paused | null): Promise<StoredInvoice> {
  if (pause?.behavior === 'keep_as_draft') {
    const object = {
      ...draft.object,
      auto_advance: false,
      automatically_finalizes_at: null,
      next_payment_attempt: null,
    }
    const kept: StoredInvoice = { ...draft, object }
    await save(call.tx, kept)
    return kept
  }
  const invoice = await finalizeInvoice(call, draft)
  if (pause === null || invoice.object.status !== 'open') return invoice
  const over = pause.behavior === 'void' ? await voidInvoice(call, invoice) : await markUncollectible(call, invoice)
  await afterVoid(call, over.object)
  return over
}
