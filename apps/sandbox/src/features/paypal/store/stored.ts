/** Money in minor units. */
export interface Money {
  amount: number
  currency: string
}

/** Times are ISO 8601, in business time. */
interface Dated {
  id: string
  createdAt: string
}

export interface Product extends Dated {
  name: string
  type: string
  category: string | null
  updatedAt: string
}

export interface Frequency {
  unit: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  count: number
}

/** A price of a cycle, from the given time on. */
interface Price {
  version: number
  amount: number
  since: string
}

export interface Cycle {
  sequence: number
  tenure: 'REGULAR' | 'TRIAL'
  frequency: Frequency
  /** 0 for a regular cycle without an end. */
  totalCycles: number
  /** Oldest first; empty for a free trial. */
  prices: Price[]
}

export interface Plan extends Dated {
  productId: string
  name: string
  description: string | null
  status: 'ACTIVE' | 'INACTIVE'
  currency: string
  cycles: Cycle[]
  isQuantitySupported: boolean
  autoBillOutstanding: boolean
  setupFee: number
  setupFeeFailureAction: 'CONTINUE' | 'CANCEL'
  /** Consecutive failures after which a subscription is suspended; 0 for never. */
  failureThreshold: number
  taxes: { percentage: string; inclusive: boolean } | null
  updatedAt: string
}

/** Where the buyer is sent from the approval page, and what it says. */
export interface ApprovalContext {
  returnUrl: string | null
  cancelUrl: string | null
  brandName: string | null
  /** `CONTINUE`: the merchant activates or captures after the buyer has returned. */
  isContinue: boolean
}

/** What the buyer is asked to approve. */
interface Approval {
  token: string
  context: ApprovalContext
  /** The wanted plan and quantity; null for the subscription itself. */
  revision: Pick<Subscription, 'planId' | 'override' | 'quantity'> | null
  /** Opening the page again leads back to the merchant. */
  isApproved: boolean
}

export interface Buyer {
  email: string
  givenName: string
  surname: string
  payerId: string
  /** Whether they have no account, and entered a card; left out: they have one. */
  isGuest?: boolean
}

export type SubscriptionStatus = 'APPROVAL_PENDING' | 'APPROVED' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED'

export interface Subscription extends Dated {
  planId: string
  /** What its creation or its revision overrode of the plan; left out: nothing. */
  override?: Pick<
    Plan,
    'cycles' | 'autoBillOutstanding' | 'setupFee' | 'setupFeeFailureAction' | 'failureThreshold' | 'taxes'
  >
  status: SubscriptionStatus
  statusNote: string | null
  statusUpdatedAt: string
  startTime: string
  /** Since when its months are counted, where days or weeks came first, as those of a trial; left out: since its start. */
  monthsFrom?: string
  quantity: string
  customId: string | null
  currency: string
  buyer: Buyer | null
  approval: Approval | null
  /** Completed cycles, by their sequence. */
  completed: Record<string, number>
  nextBillingAt: string | null
  /** An unpaid cycle whose payment is tried again. */
  retry: { amount: number; attempts: number; at: string } | null
  outstanding: number
  failedPayments: number
  lastPayment: { amount: number; at: string } | null
  lastFailure: { amount: number; at: string; nextRetryAt: string | null } | null
  /** Whether the buyer's charges succeed. */
  hasFunds: boolean
  /** How many hours after its due time a cycle is billed; left out: none. */
  lateHours?: number
  /** Whether the buyer pays by eCheck: a charge is pending until it clears; left out: no. */
  paysByEcheck?: boolean
  updatedAt: string
}

/** A payment of a subscription. */
export interface Sale extends Dated {
  subscriptionId: string
  total: Money
  fee: number
  refunded: number
  /** Of an eCheck; left out: it has cleared, or it was none. */
  uncleared?: 'PENDING' | 'DECLINED'
  customId: string | null
  updatedAt: string
}

export interface PurchaseUnit {
  referenceId: string
  total: Money
  customId: string | null
  invoiceId: string | null
  description: string | null
  /** The account that gets the payment, once it was patched; left out: the merchant's. */
  payeeEmail?: string
}

export interface Order extends Dated {
  status: 'CREATED' | 'SAVED' | 'APPROVED' | 'VOIDED' | 'COMPLETED' | 'PAYER_ACTION_REQUIRED'
  units: PurchaseUnit[]
  context: ApprovalContext
  /** The payment source was named, so the buyer's page is called `payer-action`. */
  hasPaymentSource: boolean
  buyer: Buyer | null
  hasFunds: boolean
  updatedAt: string
}

/** A payment of an order. */
export interface Capture extends Dated {
  orderId: string
  referenceId: string
  total: Money
  fee: number
  refunded: number
  invoiceId: string | null
  customId: string | null
  updatedAt: string
}

export interface Refund extends Dated {
  of: 'capture' | 'sale'
  paymentId: string
  total: Money
  /** What was refunded of the payment so far, with this one. */
  totalRefunded: number
  fee: number
}

export interface Webhook extends Dated {
  url: string
  /** `*` stands for all. */
  eventTypes: string[]
}

export interface Event extends Dated {
  type: string
  resourceType: string
  resourceVersion: string
  summary: string
  resource: object
}

interface Objects {
  product: Product
  plan: Plan
  subscription: Subscription
  sale: Sale
  order: Order
  capture: Capture
  refund: Refund
  webhook: Webhook
  event: Event
}

export type Kind = keyof Objects

export interface StoredOf<K extends Kind> {
  kind: K
  object: Objects[K]
}

export type Stored = { [K in Kind]: StoredOf<K> }[Kind]

export function isOf<K extends Kind>(stored: Stored, kind: K): stored is Stored & StoredOf<K> {
  return stored.kind === kind
}
