import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import type { PaypalSale } from '../../outside/paypal/sales.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { type Cycle, cyclesBetween, paidCycle } from './billing-cycle.rules.ts'
import type { PaidPlan } from './paypal-payments.tables.ts'
import { beforeTax } from './paypal-price.rules.ts'
import type { Purposes } from './paypal-purpose.rules.ts'
import { isPlanOf } from './paypal-revised.rules.ts'
import { paidTrialCycle } from './paypal-trials.rules.ts'

interface Known {
  /** What its payments were for. */
  purposes: Purposes
  /** The end of the period that is stored; null: none is. */
  storedEnd: Date | null
  /** Whether it is granted, or was accepted by the operator, whatever it costs. */
  hasPaid: boolean
}

/**
 * A payment at PayPal is an invoice with one line: the plan that was paid, for its cycle; with a second one, if a setup fee that could not
 * be collected before is charged with it.
 */
export function saleAsInvoice(sale: PaypalSale, given: PaypalSubscription, known: Known): BilledInvoice {
  const { id, subscriptionId, total, tax, currency, paidAt } = sale
  return {
    ...{ id, channel: 'paypal', number: id, customerId: '', subscriptionId, status: statusOf(sale) },
    ...{ isOfChange: false, isAttempted: true },
    ...{ lines: linesOf(sale, given, known), discount: 0, tax, total, charged: total, balanceBefore: 0, currency },
    ...{ createdAt: paidAt, finalizedAt: paidAt, paidAt },
    buyer: paypalBuyer(given.payer),
    pdfUrl: '',
    payUrl: '',
  }
}

/** PayPal asks for no address. */
export function paypalBuyer(payer: { name: string; email: string }): BilledInvoice['buyer'] {
  return { ...payer, address: [], country: '', taxIds: [], isReverseCharge: false }
}

type Line = BilledInvoice['lines'][number]

function linesOf(sale: PaypalSale, given: PaypalSubscription, known: Known): Line[] {
  const amount = sale.total - sale.tax
  const one = setupFeeSold(sale, given, known) ?? soldBefore(sale, given, known) ?? trialSold(sale, given)
  const several = one ? undefined : (soldWithFee(sale, given, known) ?? soldWithOutstanding(sale, given, known))
  return several ?? [{ ...(one ?? soldNow(sale, given, known)), amount, isProration: false }]
}

/** A setup fee that fails is outstanding, and PayPal collects it with a later cycle: each has its share of what was charged. */
function soldWithFee(sale: PaypalSale, given: PaypalSubscription, known: Known): Line[] | undefined {
  const { setupFee, taxOnTop } = given
  if (setupFee === 0 || isFeeCollected(given, known)) return undefined
  const { total, tax, paidAt } = sale
  const sums = [total, total - tax, Math.round(total / (1 + taxOnTop / 100))]
  const price = priceOf(given)
  const isOfCycle = (sum: number) => price !== null && sum === price + setupFee
  const trialFor = (sum: number) =>
    paidTrialCycle({ ...given, paidAt, costs: (trialPrice) => sum === trialPrice + setupFee })
  const { text, priceId, productId, quantity, ...cycle } = soldNow(sale, given, { ...known, hasPaid: true })
  const asked = sums.find(isOfCycle)
  const ofTrial = asked === undefined ? sums.find((sum) => trialFor(sum)) : undefined
  const sum = asked ?? ofTrial
  const period = ofTrial === undefined ? cycle : trialFor(ofTrial)
  if (sum === undefined || !period) return undefined
  const fee = Math.round((setupFee * (total - tax)) / sum)
  const plan = { text, priceId, productId, isProration: false }
  const once = { quantity: 1, isSetupFee: true as const, periodStart: paidAt, periodEnd: paidAt }
  return [
    { ...plan, quantity, ...period, amount: total - tax - fee },
    { ...plan, ...once, amount: fee },
  ]
}

function isFeeCollected({ payments }: PaypalSubscription, { purposes }: Known): boolean {
  return payments.some(({ id, state }) => state !== 'unpaid' && purposes.get(id)?.purpose === 'fee')
}

/**
 * A cycle that fails is outstanding, and PayPal collects it with the next one: each has its share of what was charged. It was of the plan that
 * was paid before, or is not known: then of so many of the plan of now as it costs.
 */
function soldWithOutstanding(sale: PaypalSale, given: PaypalSubscription, known: Known): Line[] | undefined {
  const now = soldNow(sale, given, { ...known, hasPaid: true })
  const cycles = outstandingBefore(sale, given, now)
  const price = priceOf(given)
  if (cycles.length === 0 || price === null) return undefined
  const asked = beforeTax({ amount: sale.total, tax: sale.tax || null }, given)
  const owed = (asked - price) / cycles.length
  const last = paidBefore(now, known)
  const before = last && !isPlanOf(last, given) && last.price === owed ? planBefore(last) : undefined
  const sold = before ?? { ...planNow(given), quantity: owed / (given.amount ?? 0) }
  const isWhole = owed > 0 && Number.isInteger(sold.quantity)
  return isWhole ? sharesOf(sale, { now, sold, cycles, share: owed / asked }) : undefined
}

/** What was paid before a cycle; undefined: nothing was. */
function paidBefore({ periodStart }: Cycle, { purposes }: Known): PaidPlan | undefined {
  const cycles = [...purposes.values()].filter(({ purpose, periodStart: start }) => purpose === 'cycle' && start)
  const earlier = cycles.filter((one) => one.periodStart && one.periodStart < periodStart)
  const last = earlier.toSorted((one, other) => Number(one.periodStart) - Number(other.periodStart)).at(-1)
  return last?.plan ?? undefined
}

interface Shares {
  now: Sold
  sold: Omit<Sold, keyof Cycle>
  cycles: readonly Cycle[]
  /** What part of the payment each of the cycles has. */
  share: number
}

function sharesOf({ total, tax }: PaypalSale, { now, sold, cycles, share }: Shares): Line[] {
  const amount = Math.round((total - tax) * share)
  const isProration = false
  return [
    { ...now, isProration, amount: total - tax - amount * cycles.length },
    ...cycles.map((cycle) => ({ ...sold, ...cycle, isProration, amount })),
  ]
}

/** The cycles that were not paid before the one of a payment. */
function outstandingBefore({ id, paidAt }: PaypalSale, given: PaypalSubscription, paid: Cycle): Cycle[] {
  const { interval, payments } = given
  const last = payments.findLast((one) => one.state !== 'unpaid' && one.id !== id && one.at < paidAt)
  const lastPaid = last && paidCycle(given, last.at, paid.periodEnd)
  return interval && lastPaid ? cyclesBetween(interval, { end: lastPaid.periodEnd, start: paid.periodStart }) : []
}

interface Sold extends Pick<Line, 'text' | 'priceId' | 'productId' | 'quantity' | 'isSetupFee'>, Cycle {}

/** The fee is of the plan that was approved, which PayPal may have revised since. */
function setupFeeSold({ id, paidAt }: PaypalSale, given: PaypalSubscription, { purposes }: Known): Sold | undefined {
  const { purpose, plan = null } = purposes.get(id) ?? {}
  if (purpose !== 'fee') return undefined
  const approved = plan && !isPlanOf(plan, given) ? planBefore(plan) : undefined
  return { ...(approved ?? planNow(given)), quantity: 1, isSetupFee: true, periodStart: paidAt, periodEnd: paidAt }
}

/** What is paid after the trials for a cycle that costs as much is not for a trial. */
function trialSold(sale: PaypalSale, given: PaypalSubscription): Sold | undefined {
  const cycle = paidTrialCycle({ ...given, paidAt: sale.paidAt, costs: (price) => costs(sale, price) })
  const isLater = cycle !== undefined && cycle.periodEnd <= sale.paidAt && costs(sale, priceOf(given))
  return cycle && !isLater ? { ...planNow(given), ...cycle } : undefined
}

function planNow({ planName: text, planId: priceId, productId, quantity }: PaypalSubscription) {
  return { text, priceId, productId, quantity: quantity ?? 1 }
}

/** Its product has the name, of a known price or of one that was added under PayPal's id. */
function planBefore({ providerItems: [item] }: Pick<PaidPlan, 'providerItems'>) {
  return item && { text: '', priceId: item.priceId, productId: item.productCode, quantity: item.quantity }
}

const unknownPlan = { priceId: '', productId: '', quantity: 1 }

/** A payment does not say for what it was: for another plan or quantity than those of now, if these cost something else. */
function soldNow(sale: PaypalSale, given: PaypalSubscription, { purposes, storedEnd, hasPaid }: Known): Sold {
  const { id, subscriptionId, paidAt } = sale
  const { purpose, plan = null, periodStart = null, periodEnd = null } = purposes.get(id) ?? {}
  const decided = purpose === 'cycle' && periodStart && periodEnd ? { periodStart, periodEnd } : undefined
  const before = decided && plan && !isPlanOf(plan, given) ? planBefore(plan) : undefined
  if (decided && before) return { ...before, ...decided }
  return {
    ...(hasPaid || costs(sale, priceOf(given)) ? planNow(given) : { text: `PayPal ${subscriptionId}`, ...unknownPlan }),
    ...(decided ?? paidCycle(given, paidAt, storedEnd) ?? { periodStart: paidAt, periodEnd: paidAt }),
  }
}

/** The plan that was paid, if PayPal's plan, quantity or price is another by now. PayPal has forgotten what the trial of another one cost. */
function soldBefore(sale: PaypalSale, given: PaypalSubscription, { purposes }: Known): Sold | undefined {
  const { purpose, plan = null, periodStart = null, periodEnd = null } = purposes.get(sale.id) ?? {}
  const before = plan && planBefore(plan)
  if (!before || !periodStart || !periodEnd) return undefined
  if (purpose === 'trial' && !isPlanOf(plan, given)) return { ...before, periodStart, periodEnd }
  if (purpose !== 'cycle') return undefined
  if (isPlanOf(plan, given) && plan.price === priceOf(given)) return undefined
  return plan.currency === sale.currency && costs(sale, plan.price) ? { ...before, periodStart, periodEnd } : undefined
}

function priceOf({ amount, quantity }: PaypalSubscription): number | null {
  return amount === null || quantity === null ? null : amount * quantity
}

function costs({ total, tax }: PaypalSale, price: number | null): boolean {
  return price !== null && (price === total || price === total - tax)
}

function statusOf({ isPending, isFailed }: PaypalSale): string {
  if (isFailed) return 'void'
  return isPending ? 'open' : 'paid'
}
