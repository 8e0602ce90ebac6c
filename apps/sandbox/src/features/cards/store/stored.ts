import type Stripe from 'stripe'
import type { BehaviorName } from '../test-cards/behavior.rules.ts'
import type { DiscountHidden, InvoiceHidden, InvoiceItemHidden, SubscriptionHidden } from './billing-hidden.ts'

/** The bank's open question to the cardholder, and the return address. */
interface Challenge {
  /** Token in the address of the bank's page; unguessable. */
  token: string
  returnUrl: string | null
}

/** Internal data of an intent. */
interface IntentHidden {
  challenge: Challenge | null
  /** As given when the intent was created or confirmed. */
  returnUrl: string | null
}

interface PaymentMethodHidden {
  behavior: BehaviorName
  /** Set up for off-session charges. */
  isSetUp: boolean
  /** Used without a customer, or detached, so it cannot be used again. */
  isSpent: boolean
  isCvcGiven: boolean
}

interface CouponHidden {
  /** Ids of the products that it reduces; null for all. Shown only if it is expanded. */
  products: string[] | null
}

interface PaymentHidden extends IntentHidden {
  /** Id of the invoice that it pays. */
  invoice: string | null
}

interface Objects {
  discount: Stripe.Discount
  subscription: Stripe.Subscription
  subscription_schedule: Stripe.SubscriptionSchedule
  invoice: Stripe.Invoice
  invoiceitem: Stripe.InvoiceItem
  invoice_payment: Stripe.InvoicePayment
  refund: Stripe.Refund
  product: Stripe.Product
  price: Stripe.Price
  coupon: Stripe.Coupon
  customer: Stripe.Customer
  payment_method: Stripe.PaymentMethod
  setup_intent: Stripe.SetupIntent
  setup_attempt: Stripe.SetupAttempt
  payment_intent: Stripe.PaymentIntent
  charge: Stripe.Charge
  event: Stripe.EventBase
  webhook_endpoint: Stripe.WebhookEndpoint
}

interface Hiddens {
  discount: DiscountHidden
  subscription: SubscriptionHidden
  subscription_schedule: null
  invoice: InvoiceHidden
  invoiceitem: InvoiceItemHidden
  invoice_payment: null
  refund: null
  product: null
  price: null
  coupon: CouponHidden
  customer: null
  payment_method: PaymentMethodHidden
  setup_intent: IntentHidden
  setup_attempt: null
  payment_intent: PaymentHidden
  charge: null
  event: null
  webhook_endpoint: { secret: string }
}

export type Kind = keyof Objects

/**
 * An object as it is stored: the public object and internal data. A card never has its number, only brand, last four
 * digits, expiry, fingerprint, funding, country and behavior.
 */
export interface StoredOf<K extends Kind> {
  kind: K
  object: Objects[K]
  hidden: Hiddens[K]
}

export type Stored = { [K in Kind]: StoredOf<K> }[Kind]

export function isOf<K extends Kind>(stored: Stored, kind: K): stored is Stored & StoredOf<K> {
  return stored.kind === kind
}

/** Ids of stored objects, which `expand` can reach. */
const kindsByPrefix: Readonly<Record<string, Kind>> = {
  prod_: 'product',
  price_: 'price',
  di_: 'discount',
  sub_: 'subscription',
  sub_sched_: 'subscription_schedule',
  in_: 'invoice',
  ii_: 'invoiceitem',
  inpay_: 'invoice_payment',
  re_: 'refund',
  cus_: 'customer',
  pm_: 'payment_method',
  seti_: 'setup_intent',
  setatt_: 'setup_attempt',
  pi_: 'payment_intent',
  ch_: 'charge',
  evt_: 'event',
  we_: 'webhook_endpoint',
}

export function kindOfId(id: string): Kind | undefined {
  return kindsByPrefix[id.slice(0, id.lastIndexOf('_') + 1)]
}

/** The id, where the official types allow an id or the whole object. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'object' ? (reference?.id ?? null) : (reference ?? null)
}
