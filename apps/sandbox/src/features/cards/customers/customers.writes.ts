import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import type Stripe from 'stripe'
import { emitEvent, previousOf } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { find, findLocked, save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { type Missing, noSuch } from '../wire/refusal.ts'

/** @throws Refusal if it does not exist or was deleted */
export async function customer(tx: Reader, id: string, missing: Missing = {}): Promise<Stripe.Customer> {
  const found = await find(tx, 'customer', id)
  if (!found) throw noSuch('customer', id, missing)
  return found.object
}

/** Locks it too: until the end of the request nobody else can change it or attach a card. */
export async function lockedCustomer(tx: Tx, id: string, missing: Missing = {}): Promise<Stripe.Customer> {
  const found = await findLocked(tx, 'customer', id)
  if (!found) throw noSuch('customer', id, missing)
  return found.object
}

/** A detached card is no longer the default of its customer. */
export async function forgetDefault(call: Call, customerId: string, paymentMethod: string): Promise<void> {
  const found = await findLocked(call.tx, 'customer', customerId)
  if (!found || idOf(found.object.invoice_settings.default_payment_method) !== paymentMethod) return
  const invoice_settings = { ...found.object.invoice_settings, default_payment_method: null }
  const object = { ...found.object, invoice_settings }
  await save(call.tx, { ...found, object })
  await emitEvent(call, { type: 'customer.updated', object, before: previousOf(found.object, object) })
}

/** Stores whether an invoice of the customer could not be collected. */
export async function setDelinquent(call: Call, id: string, delinquent: boolean): Promise<void> {
  const found = await findLocked(call.tx, 'customer', id)
  if (!found || found.object.delinquent === delinquent) return
  const object = { ...found.object, delinquent }
  await save(call.tx, { ...found, object })
  await emitEvent(call, { type: 'customer.updated', object, before: { delinquent: !delinquent } })
}
