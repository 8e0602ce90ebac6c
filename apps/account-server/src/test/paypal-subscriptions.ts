import { decidePayments } from '../features/subscriptions/paypal-decisions.rules.ts'
import type { PaidFacts } from '../features/subscriptions/paypal-facts.rules.ts'
import { decideTrial } from '../features/subscriptions/paypal-trial-decision.rules.ts'
import { noLess } from '../outside/paypal/plan-terms.rules.ts'
import type { PaypalPayment } from '../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../outside/paypal/subscriptions.ts'

/** A monthly subscription of two units as PayPal has it. Unless others are given, it was paid when `lastPaidAt` says. */
export function paypalSubscription(more: Partial<PaypalSubscription> = {}): PaypalSubscription {
  const startsAt = more.startsAt ?? new Date('2027-01-08T15:00:00Z')
  const given = {
    ...{ id: 'I-1', planId: 'P-1', productId: 'F', planName: 'Folio', status: 'ACTIVE', quantity: 2, customId: '' },
    payer: { email: 'ada@example.test', name: 'Ada' },
    ...{ createdAt: startsAt, startsAt, changedAt: startsAt },
    ...{ amount: 1000, currency: 'USD', interval: { unit: 'MONTH', count: 1 } as const },
    ...{ taxOnTop: 0, setupFee: 0, isOverridden: false, besidePrice: '', lessThanPlan: noLess },
    ...{ trials: [], isPastTrial: true, isRepriced: false },
    ...{ lastPaidAt: startsAt, nextBillingAt: null, failure: null },
    ...more,
  }
  const { lastPaidAt, amount, quantity } = given
  const isPaid = lastPaidAt !== null && amount !== null && quantity !== null
  return { payments: isPaid ? [paymentAt(lastPaidAt, amount * quantity, given.currency)] : [], ...given }
}

/** @param amount minor units */
export function paymentAt(at: Date, amount: number, currency = 'USD'): PaypalPayment {
  return { id: `SALE-${at.toISOString()}`, at, amount, tax: null, currency, state: 'paid' }
}

/** What a projection is given beside the subscription: nothing that the vendor's catalog or operator says. */
export const nothingKnown = {
  ...{ listPrice: null, isAccepted: false, leastAccepted: null, takenBack: new Set<string>() },
  ...{ decided: new Map(), price: { productCode: 'FPE', term: null, isConnector: false, isStorage: false } },
  lateBillingDays: 3,
} as const

/** What is known, with what its payments were for: as decided before, or by this reading. */
export function withDecided<Facts extends PaidFacts>(given: PaypalSubscription, facts: Facts): Facts {
  const decided = decidePayments(given, facts)
  return { ...facts, decided, trial: decideTrial(given, { ...facts, purposes: decided }) }
}
