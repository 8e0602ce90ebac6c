import type Stripe from 'stripe'
import { emitEvent, previousOf } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { findLocked, save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { refuseFraction } from '../wire/fractions.rules.ts'
import { epochSeconds, newId } from '../wire/ids.rules.ts'
import { mergedMetadata } from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'

interface Wanted {
  /** Minor units; missing for the rest. */
  amount?: number | undefined
  metadata?: Record<string, string> | null | undefined
  reason?: string | undefined
}

/**
 * Gives money back to the card that was charged.
 * @throws Refusal for more than is left of the charge, and for a fraction that cannot be refunded
 */
export async function refundCharge(call: Call, id: string, given: Wanted): Promise<Stripe.Refund> {
  const found = await findLocked(call.tx, 'charge', id)
  if (!found) throw noSuch('charge', id, { param: 'charge' })
  const { object: charge } = found
  const left = charge.amount_captured - charge.amount_refunded
  const amount = given.amount ?? left
  refuseTooMuch(charge, amount, left)
  refuseFraction(amount, charge.currency)

  const refund: Stripe.Refund = {
    id: newId('re_'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: epochSeconds(call.now),
    currency: charge.currency,
    customer: idOf(charge.customer),
    customer_account: null,
    destination_details: { card: { reference_status: 'pending', type: 'refund' }, type: 'card' },
    metadata: mergedMetadata({}, given.metadata),
    payment_intent: idOf(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: given.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
  const amount_refunded = charge.amount_refunded + amount
  const object: Stripe.Charge = { ...charge, amount_refunded, refunded: amount_refunded === charge.amount_captured }
  await save(call.tx, { kind: 'refund', object: refund, hidden: null })
  await save(call.tx, { ...found, object })
  await emitEvent(call, { type: 'refund.created', object: refund })
  await emitEvent(call, { type: 'charge.refunded', object, before: previousOf(charge, object) })
  return refund
}

function refuseTooMuch({ id, paid, captured }: Stripe.Charge, amount: number, left: number): void {
  if (!paid || !captured) {
    throw invalidRequest(`Charge ${id} was not captured, so there is nothing to refund.`, {
      code: 'charge_not_refundable',
    })
  }
  if (left === 0) {
    throw invalidRequest(`Charge ${id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  if (amount > left) {
    throw invalidRequest(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    })
  }
}
