import type Stripe from 'stripe'
import { emitEvent } from '../events/events.writes.ts'
import { newSetup } from '../setup-intents/setup-intents.rules.ts'
import { save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'

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
