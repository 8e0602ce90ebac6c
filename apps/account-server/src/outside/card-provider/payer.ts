import type Stripe from 'stripe'

/** What invoices of a subscription are charged to. `none`: nothing on file would pay. `other`: it is not a card. */
export type Payer =
  | { is: 'none' | 'other' }
  | { is: 'card'; brand: string; last4: string; expMonth: number; expYear: number }

/** Of the subscription's own payment method, or else of its customer's default one; both are expanded. */
export function payerFrom({ customer, ...subscription }: Stripe.Subscription): Payer {
  const { default_payment_method: own, default_source: ownSource } = subscription
  const holder = typeof customer === 'string' || customer.deleted ? undefined : customer
  const method = own ?? (ownSource ? null : (holder?.invoice_settings.default_payment_method ?? null))
  if (method === null) return { is: ownSource || holder?.default_source ? 'other' : 'none' }
  if (typeof method === 'string' || !method.card) return { is: 'other' }
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card
  return { is: 'card', brand, last4, expMonth, expYear }
}
