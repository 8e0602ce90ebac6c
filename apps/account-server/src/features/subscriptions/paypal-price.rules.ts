import { paypalStep } from '../../outside/paypal/money.rules.ts'
import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import type { UnmatchedReason } from '../payments/unmatched/unmatched.tables.ts'
import { isLessThanPlan } from './paypal-measured.rules.ts'

/**
 * Why what PayPal has is not granted, though something was paid for it. `impossible_amount`: its quantity is not a whole number of what
 * can be sold, or an amount is larger than can be stored; `price_overridden`: whoever created it changed the plan, and has not paid what
 * the catalog asks; `paid_too_little`: no payment was for a whole cycle, as a setup fee is not.
 */
export type Withholding = Extract<UnmatchedReason, 'impossible_amount' | 'price_overridden' | 'paid_too_little'>

/** What one cycle costs at least, in minor units and before tax on top, or why it cannot be granted. */
export function wantedOf(
  given: PaypalSubscription,
  { listPrice, isAccepted, leastAccepted }: Priced & { leastAccepted: number | null },
): number | Withholding {
  const { amount, quantity, currency, isOverridden, setupFee } = given
  if (quantity === null) return 'impossible_amount'
  const isOfVendor = !isOverridden || isAccepted
  if (isLessThanPlan(given)) return 'price_overridden'
  // Tiers are the vendor's, and what they come to is not computed here.
  if (isOfVendor && amount === null) return leastAccepted ?? setupFee + 1
  if (amount === null || (!isOfVendor && listPrice?.currency !== currency)) return 'price_overridden'
  const price = isOfVendor ? amount : Math.max(amount, listPrice?.amount ?? 0)
  return Number.isSafeInteger(price * quantity) ? price * quantity : 'impossible_amount'
}

/** A tax within the price belongs to it; one on top does not. */
export function beforeTax(
  { amount, tax }: Pick<PaypalPayment, 'amount' | 'tax'>,
  { taxOnTop }: PaypalSubscription,
): number {
  if (taxOnTop === 0) return amount
  return tax === null ? Math.round(amount / (1 + taxOnTop / 100)) : amount - tax
}

/** Whether it is as large as a price that can be granted; in words: why none can. */
export function isCovered(payment: PaypalPayment, given: PaypalSubscription, price: number | string): boolean {
  return typeof price === 'number' && covers(payment, given, price)
}

/** Whether it is at least as large, before tax, in the currency that is billed. */
export function covers(payment: PaypalPayment, given: PaypalSubscription, price: number): boolean {
  return payment.currency === given.currency && reaches(payment, given, price)
}

/** Whether what was asked for is at least as much, before tax. PayPal rounds its sum with a tax on top, forints to whole ones. */
export function reaches(
  asked: Pick<PaypalPayment, 'amount' | 'tax'>,
  given: PaypalSubscription,
  price: number,
): boolean {
  const rounding = given.taxOnTop > 0 && asked.tax === null ? paypalStep(given.currency) / 2 : 0
  return beforeTax(asked, given) + rounding >= price
}

/**
 * What is granted of accepted terms at the least, before tax; null: their whole price, as when nothing was paid or all of it was given back.
 * What was paid for a trial buys no cycle after it.
 */
export function acceptedOf(
  { trials, isPastTrial, quantity, taxOnTop }: PaypalSubscription,
  acceptance: { amount: number | null } | undefined,
): number | null {
  if (!acceptance?.amount) return null
  const least = Math.max(1, Math.floor(acceptance.amount / (1 + taxOnTop / 100)))
  const isOfTrial = trials.some(({ amount }) => amount > 0 && amount * (quantity ?? 1) <= least)
  return isOfTrial && !isPastTrial ? null : least
}

/**
 * What a payment that had been collected when the terms were accepted has to come to for a cycle, in minor units and before tax: what was
 * accepted. Later ones pay the terms as they are, since they may have been collected on others: PayPal does not show those.
 *
 * @param price what a cycle costs
 */
export function leastOf(price: number, { leastAccepted }: { leastAccepted: number | null }): number {
  return Math.min(price, leastAccepted ?? price)
}

interface Priced {
  /** What the catalog asks for one unit. */
  listPrice: { amount: number; currency: string } | null
  isAccepted: boolean
}

/** Whether the price is what its buyer has made of the plan's, and less than the catalog asks: it never says what was paid. */
export function isPriceOfBuyer(
  { isOverridden, amount, currency }: PaypalSubscription,
  { listPrice, isAccepted }: Priced,
): boolean {
  if (!isOverridden || isAccepted) return false
  return listPrice?.currency !== currency || (amount ?? 0) < listPrice.amount
}
