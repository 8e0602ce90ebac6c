import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { changedCustomer, newCustomer } from '../customers/customers.rules.ts'
import { lockedCustomer } from '../customers/customers.writes.ts'
import { emitEvent, previousOf } from '../events/events.writes.ts'
import { attachToCustomer, detach } from '../payment-methods/attachment.writes.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import { serveResource } from '../requests/resource.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { byColumn, byCreated } from '../store/filters.ts'
import { find, markDeleted, save } from '../store/store.ts'
import { endWithCustomer, stopWithCustomer } from '../subscriptions/deleted-customer.ts'
import { address, integer, metadata, oneOf, text, unsettable } from '../wire/parameters.rules.ts'
import { noSuch, Refusal } from '../wire/refusal.ts'

const details = {
  address: unsettable(address).optional(),
  balance: integer({ least: Number.MIN_SAFE_INTEGER }).optional(),
  description: unsettable(text()).optional(),
  email: unsettable(text(512)).optional(),
  invoice_settings: z.strictObject({ default_payment_method: unsettable(text()).optional() }).optional(),
  metadata: metadata.optional(),
  name: unsettable(text(256)).optional(),
  phone: unsettable(text(20)).optional(),
  tax_exempt: unsettable(oneOf(['none', 'exempt', 'reverse']))
    .transform((exempt) => exempt ?? 'none')
    .optional(),
}

export function customersApi(api: Api): void {
  api.serve({
    method: 'POST',
    path: '/customers',
    takes: { ...details, payment_method: text().optional() },
    run: createCustomer,
  })

  api.change('/customers/:id', details, updateCustomer)

  serveResource(api, {
    kind: 'customer',
    path: '/customers',
    filters: { created: byCreated, email: byColumn(cardObjects.email) },
    remove: deleteCustomer,
    leavesId: true,
  })
}

type Details = z.output<z.ZodObject<typeof details>>

async function createCustomer(
  call: Call,
  { payment_method, ...given }: Details & { payment_method?: string | undefined },
): Promise<object> {
  const made = newCustomer(call.now)
  await save(call.tx, { kind: 'customer', object: made, hidden: null })
  const attached = payment_method === undefined ? undefined : await attachToCustomer(call, payment_method, made.id)
  // No customer is created if the card is declined.
  if (attached instanceof Refusal) throw attached

  const settings = given.invoice_settings
  const named = settings?.default_payment_method
  // `pm_card_visa` stands for the card that was just created from it.
  const pinned = named === payment_method ? (attached?.object.id ?? named) : named
  if (pinned) await refuseForeignDefault(call, pinned, made.id)
  const object = changedCustomer(made, {
    ...given,
    ...(settings && { invoice_settings: { ...settings, default_payment_method: pinned } }),
  })
  await save(call.tx, { kind: 'customer', object, hidden: null })
  await emitEvent(call, { type: 'customer.created', object })
  return object
}

async function updateCustomer(call: Call, id: string, given: Details): Promise<object> {
  const before = await lockedCustomer(call.tx, id, { status: 404 })
  const pinned = given.invoice_settings?.default_payment_method
  if (pinned) await refuseForeignDefault(call, pinned, id)
  const object = changedCustomer(before, given)
  await save(call.tx, { kind: 'customer', object, hidden: null })
  const changed = previousOf(before, object)
  if (Object.keys(changed).length > 0) await emitEvent(call, { type: 'customer.updated', object, before: changed })
  return object
}

/** Ends its subscriptions, detaches its cards, and leaves only the id. */
async function deleteCustomer(call: Call, id: string): Promise<void> {
  const object = await lockedCustomer(call.tx, id, { status: 404 })
  const rows = await call.tx
    .select({ stored: cardObjects.stored })
    .from(cardObjects)
    .where(eq(cardObjects.customer, id))
    .for('update')
  for (const { stored } of rows) {
    if (stored.kind === 'subscription') await endWithCustomer(call, stored)
    if (stored.kind === 'invoice') await stopWithCustomer(call, stored)
  }
  // Deleted first, so that no event reports a changed default.
  await markDeleted(call.tx, id)
  for (const { stored } of rows) {
    if (stored.kind === 'payment_method') await detach(call, stored)
  }
  await emitEvent(call, { type: 'customer.deleted', object })
}

async function refuseForeignDefault({ tx }: Call, paymentMethod: string, customerId: string): Promise<void> {
  const found = await find(tx, 'payment_method', paymentMethod)
  if (found?.object.customer === customerId) return
  throw noSuch('PaymentMethod', paymentMethod, { param: 'invoice_settings[default_payment_method]' })
}
