import type Stripe from 'stripe'
import type { ObjectClaim } from '../billed-invoice.ts'

/** The metadata in which the vendor's shop says whose a customer, a subscription or an invoice is. */
const referenceMark = 'accountReference'

type Made =
  | Pick<Stripe.Customer, 'metadata' | 'created'>
  | Pick<Stripe.Subscription, 'metadata' | 'created' | 'collection_method'>
  | Pick<Stripe.Invoice, 'metadata' | 'created' | 'collection_method' | 'parent'>

/** Metadata is written with the vendor's secret key alone, and what is sent instead of charged is made with it. */
export function claimFrom(object: Made): ObjectClaim {
  const { metadata, created } = object
  return {
    memberId: metadata?.memberId ?? '',
    reference: metadata?.[referenceMark] ?? '',
    createdAt: new Date(created * 1000),
    isMadeByVendor: 'collection_method' in object && object.collection_method === 'send_invoice',
    isOfSubscription: 'parent' in object && object.parent?.type === 'subscription_details',
  }
}
