export interface BilledLine {
  /** The provider's sentence. */
  text: string
  /** Empty for an amount without a price. */
  priceId: string
  productId: string
  quantity: number
  /** In minor units, before discounts; negative for a credit. */
  amount: number
  /** What discounts of the provider's take off it; left out: nothing, or it is in the amount. */
  discount?: number
  /** Of a change within a period. */
  isProration: boolean
  /** Charged once, for no period and whatever the quantity. */
  isSetupFee?: true
  periodStart: Date
  periodEnd: Date
}

interface BuyersTax {
  /** As the buyer stated them. */
  taxIds: readonly string[]
  /** The buyer accounts for the tax. */
  isReverseCharge: boolean
}

/** What an object of a provider says about whose it is, beside the address that was typed. */
export interface ObjectClaim {
  /** Written with the vendor's secret key (`metadata.memberId`); empty: nothing. */
  memberId: string
  /** What the vendor's shop signed; empty: nothing. */
  reference: string
  createdAt: Date
  /** Whether only the vendor can make such an object. */
  isMadeByVendor?: boolean
  /** Whether it is an invoice of a subscription. */
  isOfSubscription?: boolean
}

/** An invoice, or a payment of a subscription, as its provider has it. Amounts are minor units of `currency`. */
export interface BilledInvoice {
  id: string
  /** Which provider has it. */
  channel: 'card' | 'paypal'
  /** The provider's; empty for a draft. */
  number: string
  customerId: string
  /** Empty: not of a subscription. */
  subscriptionId: string
  status: string
  /** Whether it is of a change within a period. */
  isOfChange: boolean
  /** Whether a payment was tried. */
  isAttempted: boolean
  lines: readonly BilledLine[]
  /** Sum of all discounts. */
  discount: number
  /** Tax beside or within the lines. */
  tax: number
  /** After discounts, tax included. */
  total: number
  /** What the customer pays: not what their credit pays or what is too little to charge, but what they owe from earlier. */
  charged: number
  /** Of the customer's account before it: what is owed from earlier, or, negative, their credit. */
  balanceBefore: number
  currency: string
  createdAt: Date
  finalizedAt: Date | null
  /** Null: it is not paid. */
  paidAt: Date | null
  /** The buyer as of the invoice. */
  buyer: { name: string; email: string; address: readonly string[]; country: string } & BuyersTax
  /** The provider's document; empty: none. */
  pdfUrl: string
  /** The provider's page on which it is paid; empty unless it is open. */
  payUrl: string
  /** What it says about whose it is; left out: nothing. */
  claim?: ObjectClaim
  /** Its last payment that was declined; null: none was, or it is paid; left out: it was not asked for. */
  lastDecline?: DeclinedPayment | null
}

/** A payment of an invoice that was declined. */
export interface DeclinedPayment {
  /** The provider's; empty: it gives none. */
  code: string
  /** Null: not known. */
  card: PaidCard | null
  /** When it was tried, ISO 8601; null: not known. */
  at: string | null
}

/** The card that paid, as its provider names it. */
export interface PaidCard {
  /** `visa`, `mastercard` …; a name that `brandName` may not know. */
  brand: string
  last4: string
}

/** … with the provider's id. */
export interface StoredPaidCard extends PaidCard {
  id: string
}

/** What was given back of an invoice. */
export interface Refunds {
  /** In minor units of the invoice's currency. */
  amount: number
  /** When the last of it was given back; null: nothing was. */
  lastAt: Date | null
}
