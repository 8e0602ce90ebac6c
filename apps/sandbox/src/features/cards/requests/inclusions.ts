import { paymentsOf } from '../store/invoices.queries.ts'
import { find } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import type { Call } from './call.ts'

/** Fields that an object shows only if they are expanded, by kind of object. */
const includable: Readonly<Record<string, readonly string[]>> = {
  coupon: ['applies_to'],
  invoice: ['confirmation_secret', 'payments'],
}

export function isIncludable(kind: string, field: string): boolean {
  return includable[kind]?.includes(field) ?? false
}

/** The value of such a field. */
export function includedValue({ tx }: Pick<Call, 'tx'>, field: string, id: string): Promise<object | null> {
  if (field === 'payments') return payments(tx, id)
  if (field === 'confirmation_secret') return confirmationSecret(tx, id)
  return appliesTo(tx, id)
}

async function payments(tx: Call['tx'], invoice: string): Promise<object> {
  const data = (await paymentsOf(tx, invoice)).map(({ object }) => object)
  return { object: 'list', data, has_more: false, url: `/v1/invoice_payments?invoice=${invoice}` }
}

/** With it the page confirms the payment of an open invoice. */
async function confirmationSecret(tx: Call['tx'], invoice: string): Promise<object | null> {
  const [first] = await paymentsOf(tx, invoice)
  const intent = await find(tx, 'payment_intent', idOf(first?.object.payment.payment_intent) ?? '')
  return intent ? { client_secret: intent.object.client_secret, type: 'payment_intent' } : null
}

async function appliesTo(tx: Call['tx'], id: string): Promise<object | null> {
  const products = (await find(tx, 'coupon', id))?.hidden.products
  return products ? { products } : null
}
