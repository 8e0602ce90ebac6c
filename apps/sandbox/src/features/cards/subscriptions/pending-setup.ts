import { and, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { emitEvent } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { newSetup } from '../setup-intents/setup-intents.rules.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { isField } from '../store/filters.ts'
import { save } from '../store/store.ts'
import { idOf, isOf } from '../store/stored.ts'
import { saveSubscription } from './invoice-outcome.ts'

/**
 * A setup intent for the card that a subscription will need later, if nothing is to be paid now and no card is known.
 * @returns its id
 */
export async function pendingSetup(
  call: Call,
  { default_payment_method: pinned }: Stripe.Subscription,
  customer: Stripe.Customer,
): Promise<string | null> {
  if (pinned !== null || idOf(customer.invoice_settings.default_payment_method) !== null) return null
  const made = newSetup(
    {
      allowed_payment_method_types: null,
      automatic_payment_methods: { allow_redirects: 'always', enabled: true },
      payment_method_types: ['card'],
      usage: 'off_session',
    },
    call.now,
  )
  const object: Stripe.SetupIntent = { ...made, customer: customer.id }
  await save(call.tx, { kind: 'setup_intent', object, hidden: { returnUrl: null, challenge: null } })
  await emitEvent(call, { type: 'setup_intent.created', object })
  return object.id
}

/** A setup succeeded: the subscription that waited for it no longer does, and keeps the card if it is to be saved there. */
export async function noteSetup(call: Call, { id, customer, payment_method }: Stripe.SetupIntent): Promise<void> {
  const holder = idOf(customer)
  if (holder === null) return
  const rows = await call.tx
    .select({ stored: cardObjects.stored })
    .from(cardObjects)
    .where(
      and(eq(cardObjects.kind, 'subscription'), eq(cardObjects.customer, holder), isField('pending_setup_intent', id)),
    )
    .for('update')
  for (const { stored } of rows) {
    if (!isOf(stored, 'subscription')) continue
    const isSaved = stored.object.payment_settings?.save_default_payment_method === 'on_subscription'
    const object = {
      ...stored.object,
      pending_setup_intent: null,
      ...(isSaved && { default_payment_method: idOf(payment_method) }),
    }
    await saveSubscription(call, stored, { ...stored, object })
  }
}
