import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { KnownPrice } from './known-price.ts'
import type { DecidedPayment } from './paypal-payments.tables.ts'
import type { Withholding } from './paypal-price.rules.ts'
import type { DecidedTrial } from './paypal-trials.tables.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

/** What is stored of a subscription when it is read again. */
export type StoredPaid = Pick<
  SubscriptionRow,
  | 'status'
  | 'productCode'
  | 'userCount'
  | 'storageCapacity'
  | 'connectors'
  | 'term'
  | 'price'
  | 'currency'
  | 'providerItems'
  | 'periodStart'
  | 'periodEnd'
  | 'trialEnd'
  | 'paidBy'
> &
  Partial<Pick<SubscriptionRow, 'nextPlan' | 'trialProduct' | 'dueAmount'>>

/** What beside a subscription of PayPal says what was paid of it. */
export interface PaidFacts {
  /** Of which product its plan is. */
  price: KnownPrice
  /** What the catalog asks for one unit of the plan; null: it does not know the plan, or it has no price per unit. */
  listPrice: { amount: number; currency: string } | null
  /** Whether the vendor's operator has accepted the terms on which it was bought. */
  isAccepted: boolean
  /** What had been paid for a cycle of accepted terms when they were accepted, in minor units and before tax; null: its whole price. */
  leastAccepted: number | null
  /** When the operator has accepted them, with all that had been paid; left out: never, or it is unknown. */
  acceptedAt?: Date | undefined
  /** Until when everything that was paid has been accepted, whatever its terms are by now; left out: nothing was. */
  releasedAt?: Date | undefined
  /** Ids of payments that were given or taken back, as far as is known here. */
  takenBack: ReadonlySet<string>
  /** Why something waited for the operator when it was read last; left out: nothing did. */
  waiting?: Withholding | undefined
  /** How terms that were read before are less than the plan, in words; empty or left out: none were, or they were accepted. */
  readLess?: string
  /** What one unit costs of each plan between which PayPal revises; left out: the catalog does not know the plan. */
  unitPrices?: readonly number[] | undefined
  /** What payments were for, as far as that was decided before, by their ids. */
  decided: ReadonlyMap<string, DecidedPayment>
  /** The trial with which it began, as far as that was decided before; left out: it was not. */
  trial?: DecidedTrial | undefined
  /** Ids of payments that are orders. */
  ordered?: ReadonlySet<string> | undefined
  /** Whether its member has had another trial of the product at PayPal, or this one has been that of another; left out: no. */
  isFurther?: boolean
  before: StoredPaid | undefined
  now: Date
}

/** A payment that was kept. */
export function isKept({ id, state }: PaypalPayment, { takenBack }: Pick<PaidFacts, 'takenBack'>): boolean {
  return state === 'paid' && !takenBack.has(id)
}
