import type Stripe from 'stripe'

/** A reduction as it was when its coupon was redeemed: a later change of the coupon does not matter. */
export interface Reduction {
  percentOff: number | null
  /** Minor units. */
  amountOff: number | null
  /** Ids of the products that it reduces; null for all. */
  products: string[] | null
}

export interface DiscountHidden extends Reduction {
  duration: string
}

type TaxBehavior = 'inclusive' | 'exclusive'

/** A line of an invoice, with what its recalculation needs. */
export interface Line {
  line: Stripe.InvoiceLineItem
  taxBehavior: TaxBehavior
  /** Its own, or its product's; left out: the account's. */
  taxCode?: string
}

export interface InvoiceHidden {
  /** All lines; the public object has the first ones. */
  lines: Line[]
  /** In the address of the hosted page; unguessable. */
  token: string
  /** How often it was tried automatically. */
  retries: number
  /** The card of the last attempt that its bank declined for good: retries wait for another. */
  declinedMethod: string | null
}

export interface InvoiceItemHidden {
  taxBehavior: TaxBehavior
  /** Its own; left out: its product's, or the account's. */
  taxCode?: string
}

/** What was charged for an item and is not credited yet. */
export interface Debit {
  /** Id of the subscription item. */
  item: string
  /** After discounts, without the taxes that are added. */
  amount: number
  start: number
  end: number
  /** What it was for, for the text of a credit. */
  price: string
  quantity: number
  /** Id of the pending invoice item, and of the invoice and line once it is invoiced. */
  invoiceItem: string | null
  invoice: string | null
  line: string | null
}

/** A change that is applied once its invoice is paid. */
interface PendingChange {
  invoice: string
  after: Stripe.Subscription
  debits: Debit[]
}

export interface SubscriptionHidden {
  debits: Debit[]
  pending: PendingChange | null
  /** Epoch seconds at which an unpaid first invoice ends the subscription. */
  incompleteUntil: number | null
  /** The ends of periods and trials that were announced already. */
  announcedRenewal: number | null
  announcedTrialEnd: number | null
  /** Epoch seconds at which the current phase of its schedule ends. */
  phaseEnd?: number | null
}
