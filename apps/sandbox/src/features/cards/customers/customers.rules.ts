import type Stripe from 'stripe'
import { epochSeconds, newId, randomText } from '../wire/ids.rules.ts'
import { mergedMetadata } from '../wire/parameters.rules.ts'

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

interface InvoiceChange {
  custom_fields?: Stripe.Customer.InvoiceSettings.CustomField[] | null | undefined
  default_payment_method?: string | null | undefined
  footer?: string | null | undefined
}

interface Change {
  address?: Stripe.Address | null | undefined
  balance?: number | undefined
  business_name?: string | null | undefined
  description?: string | null | undefined
  email?: string | null | undefined
  individual_name?: string | null | undefined
  invoice_prefix?: string | undefined
  invoice_settings?: InvoiceChange | undefined
  metadata?: Record<string, string> | null | undefined
  name?: string | null | undefined
  next_invoice_sequence?: number | undefined
  phone?: string | null | undefined
  preferred_locales?: string[] | undefined
  shipping?: { address: Stripe.Address; name: string; phone?: string | null | undefined } | null | undefined
  tax_exempt?: 'none' | 'exempt' | 'reverse' | null | undefined
}

/** Given values replace the old ones; all others stay. */
export function changedCustomer(before: Stripe.Customer, given: Change): Stripe.Customer {
  const { shipping } = given
  const { business_name: _business, individual_name: _individual, ...rest } = before
  return {
    ...rest,
    ...changedNames(before, given),
    ...(given.address !== undefined && { address: given.address }),
    ...(given.balance !== undefined && { balance: given.balance }),
    ...(given.description !== undefined && { description: given.description }),
    ...(given.email !== undefined && { email: given.email }),
    ...(given.invoice_prefix !== undefined && { invoice_prefix: given.invoice_prefix }),
    ...(given.name !== undefined && { name: given.name }),
    ...(given.next_invoice_sequence !== undefined && { next_invoice_sequence: given.next_invoice_sequence }),
    ...(given.phone !== undefined && { phone: given.phone }),
    ...(given.preferred_locales && { preferred_locales: given.preferred_locales }),
    ...(given.tax_exempt !== undefined && { tax_exempt: given.tax_exempt ?? 'none' }),
    ...(shipping !== undefined && {
      shipping: shipping && { address: shipping.address, name: shipping.name, phone: shipping.phone ?? null },
    }),
    invoice_settings: changedInvoices(before.invoice_settings, given.invoice_settings ?? {}),
    metadata: mergedMetadata(before.metadata, given.metadata),
  }
}

function changedInvoices(
  before: Stripe.Customer.InvoiceSettings,
  { custom_fields, default_payment_method, footer }: InvoiceChange,
): Stripe.Customer.InvoiceSettings {
  return {
    ...before,
    ...(custom_fields !== undefined && { custom_fields }),
    ...(default_payment_method !== undefined && { default_payment_method }),
    ...(footer !== undefined && { footer }),
  }
}

/** A customer without such a name does not have the field. */
function changedNames(
  before: Stripe.Customer,
  given: Change,
): Pick<Stripe.Customer, 'business_name' | 'individual_name'> {
  const business_name = given.business_name === undefined ? before.business_name : given.business_name
  const individual_name = given.individual_name === undefined ? before.individual_name : given.individual_name
  return { ...(business_name && { business_name }), ...(individual_name && { individual_name }) }
}
