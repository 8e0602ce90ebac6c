import type Stripe from 'stripe'
import { epochSeconds, newId, randomText } from '../wire/ids.rules.ts'
import { mergedMetadata } from '../wire/parameters.rules.ts'

/** A customer of whom nothing is known yet. */
export function newCustomer(now: Date): Stripe.Customer {
  return {
    id: newId('cus_'),
    object: 'customer',
    address: null,
    balance: 0,
    created: epochSeconds(now),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}

interface Change {
  address?: Stripe.Address | null | undefined
  balance?: number | undefined
  description?: string | null | undefined
  email?: string | null | undefined
  invoice_settings?:
    | { default_payment_method?: string | null | undefined; footer?: string | null | undefined }
    | undefined
  metadata?: Record<string, string> | null | undefined
  name?: string | null | undefined
  phone?: string | null | undefined
  preferred_locales?: string[] | undefined
  shipping?: { address: Stripe.Address; name: string; phone?: string | null | undefined } | null | undefined
  tax_exempt?: 'none' | 'exempt' | 'reverse' | null | undefined
}

/** What is given replaces what was there; what is not stays. */
export function changedCustomer(before: Stripe.Customer, given: Change): Stripe.Customer {
  const { invoice_settings: invoices, shipping } = given
  return {
    ...before,
    ...(given.address !== undefined && { address: given.address }),
    ...(given.balance !== undefined && { balance: given.balance }),
    ...(given.description !== undefined && { description: given.description }),
    ...(given.email !== undefined && { email: given.email }),
    ...(given.name !== undefined && { name: given.name }),
    ...(given.phone !== undefined && { phone: given.phone }),
    ...(given.preferred_locales && { preferred_locales: given.preferred_locales }),
    ...(given.tax_exempt !== undefined && { tax_exempt: given.tax_exempt ?? 'none' }),
    ...(shipping !== undefined && {
      shipping: shipping && { address: shipping.address, name: shipping.name, phone: shipping.phone ?? null },
    }),
    invoice_settings: {
      ...before.invoice_settings,
      ...(invoices?.default_payment_method !== undefined && {
        default_payment_method: invoices.default_payment_method,
      }),
      ...(invoices?.footer !== undefined && { footer: invoices.footer }),
    },
    metadata: mergedMetadata(before.metadata, given.metadata),
  }
}
