import type Stripe from 'stripe'
import { epochSeconds, newId, randomText } from '../wire/ids.rules.ts'
import { mergedMetadata, present } from '../wire/parameters.rules.ts'

/** An empty customer. */
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
  invoice_settings?: { default_payment_method?: string | null | undefined } | undefined
  metadata?: Record<string, string> | null | undefined
  name?: string | null | undefined
  phone?: string | null | undefined
  tax_exempt?: 'none' | 'exempt' | 'reverse' | undefined
}

/** Given values replace the old ones; all others stay. */
export function changedCustomer(
  before: Stripe.Customer,
  { invoice_settings: settings = {}, metadata, ...given }: Change,
): Stripe.Customer {
  return {
    ...before,
    ...present(given),
    invoice_settings: { ...before.invoice_settings, ...present(settings) },
    metadata: mergedMetadata(before.metadata, metadata),
  }
}
