import { forgetDefault, lockedCustomer } from '../customers/customers.writes.ts'
import { emitEvent } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { save } from '../store/store.ts'
import { idOf, type StoredOf } from '../store/stored.ts'
import { type Decline, failsCvcCheck } from '../test-cards/behavior.rules.ts'
import { invalidRequest, Refusal } from '../wire/refusal.ts'
import { askBank } from './bank.rules.ts'
import { paymentMethod } from './payment-methods.writes.ts'

type StoredMethod = StoredOf<'payment_method'>

/**
 * Attaches a card to a customer, after a check by the bank.
 * @returns a refusal if the bank declines
 */
export async function attachToCustomer(call: Call, id: string, customerId: string): Promise<StoredMethod | Refusal> {
  await lockedCustomer(call.tx, customerId, { param: 'customer' })
  const found = await paymentMethod(call, id, { status: 404 })
  const holder = idOf(found.object.customer)
  if (holder === customerId) return found
  if (holder !== null) throw invalidRequest('The payment method you provided has already been attached to a customer.')
  if (found.hidden.isSpent) {
    throw invalidRequest(
      'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
    )
  }
  const said = askBank(call, found, {
    purpose: 'setup',
    isOffSession: false,
    isAskedFor: false,
    // Attaching never requires authentication.
    isAuthenticated: true,
  })
  if (typeof said === 'object') return cardDeclined(said)
  return attach(call, found, customerId)
}

/** Stores the card's customer. The bank has approved already. */
export async function attach(call: Call, found: StoredMethod, customerId: string): Promise<StoredMethod> {
  const { card } = found.object
  const cvc_check = failsCvcCheck(found.hidden.behavior) ? 'fail' : 'pass'
  const attached: StoredMethod = {
    ...found,
    object: {
      ...found.object,
      customer: customerId,
      ...(card?.checks && found.hidden.isCvcGiven && { card: { ...card, checks: { ...card.checks, cvc_check } } }),
    },
  }
  await save(call.tx, attached)
  await emitEvent(call, { type: 'payment_method.attached', object: attached.object })
  return attached
}

/** A detached card can never be used again. */
export async function detach(call: Call, found: StoredMethod): Promise<StoredMethod> {
  const holder = idOf(found.object.customer)
  const detached: StoredMethod = {
    ...found,
    object: { ...found.object, customer: null },
    hidden: { ...found.hidden, isSpent: true },
  }
  await save(call.tx, detached)
  await emitEvent(call, { type: 'payment_method.detached', object: detached.object, before: { customer: holder } })
  if (holder !== null) await forgetDefault(call, holder, found.object.id)
  return detached
}

function cardDeclined({ code, declineCode, message }: Decline): Refusal {
  return new Refusal(402, { type: 'card_error', code, decline_code: declineCode, message })
}
