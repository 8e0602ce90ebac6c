import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import type { Cycle } from './billing-cycle.rules.ts'
import { isKept, type PaidFacts } from './paypal-facts.rules.ts'
import { asMeasured } from './paypal-measured.rules.ts'
import type { DecidedPayment } from './paypal-payments.tables.ts'
import { planOf } from './paypal-plan.rules.ts'
import { beforeTax } from './paypal-price.rules.ts'
import {
  aheadMs,
  buyersTerms,
  type Deciding,
  hasBegunBy,
  isPastFirst,
  lastingCycle,
  type Purposes,
  purposeOf,
  wasCollected,
} from './paypal-purpose.rules.ts'
import { retryId } from './paypal-retried.rules.ts'

const dayMs = 86_400_000

/**
 * What each payment was for, collected or not, oldest first: what was decided when it was read first stays, whatever PayPal has since. What waits
 * is decided again on the terms on which it was read, and once the operator has accepted those of now.
 */
export function decidePayments(asRead: PaypalSubscription, facts: PaidFacts): Purposes {
  const given = asMeasured(asRead, facts)
  const each = withRetried(given, { ...facts, purposes: eachDecided(given, facts) })
  const purposes = withEarlierTrials(given, { ...facts, purposes: each })
  const cycle = hasBegunBy(given, facts) ? lastingCycle(given, { ...facts, purposes }) : undefined
  return cycle ? besideOf(given, { ...facts, cycle, purposes }) : purposes
}

function eachDecided(given: PaypalSubscription, facts: PaidFacts): Purposes {
  const purposes = new Map(decidedBefore(facts))
  // An answer without the plan says nothing of it.
  const isComplete = given.interval !== null
  for (const payment of isComplete ? given.payments : []) {
    const known = purposes.get(payment.id)
    const others = known && isOpen({ payment, decided: known }, given, { ...facts, purposes })
    if (known && !others) {
      purposes.set(payment.id, asCollected(known, isKept(payment, facts) ? facts.now : null))
      continue
    }
    const now = purposeOf(payment, given, { ...facts, purposes: others ?? purposes })
    if (!known || isOther(known, now)) purposes.set(payment.id, now)
  }
  return purposes
}

/** What a renewal that PayPal could not collect was for, since its buyer can revise it before a retry collects it. */
function withRetried(given: PaypalSubscription, facts: Deciding): Purposes {
  const { failure, currency, payments, interval } = given
  if (!failure || !interval) return facts.purposes
  // What fails before anything was paid, or a trial has run, may be the setup fee of a plan that PayPal has forgotten.
  if (!lastingCycle(given, facts) && !isPastFirst(failure, facts)) return facts.purposes
  const id = retryId(given, failure)
  if (facts.purposes.has(id)) return facts.purposes
  const tried = { id, at: failure.at, amount: failure.amount, tax: null, currency, state: 'unpaid' } as const
  const decided = purposeOf(tried, { ...given, payments: [...payments, tried] }, facts)
  return decided.purpose === 'cycle' ? new Map([...facts.purposes, [id, decided]]) : facts.purposes
}

/** What waits, as it was read last: held back, given back, or collected since. */
function asCollected(known: DecidedPayment, now: Date | null): DecidedPayment {
  const isSame = known.purpose !== 'waiting' || (known.collectedAt === null) === (now === null)
  return isSame ? known : { ...known, collectedAt: now }
}

/** What was not granted, though it did not wait, is for a cycle by now, or stays what it was. */
function isOther(known: DecidedPayment, now: DecidedPayment): boolean {
  if (known.purpose !== 'waiting') return now.purpose === 'cycle'
  const isCollected = (known.collectedAt === null) === (now.collectedAt === null)
  return known.purpose !== now.purpose || known.reason !== now.reason || !isCollected
}

interface Known {
  payment: PaypalPayment
  decided: DecidedPayment
}

/**
 * By what a payment is to be decided again; undefined: it stays what it was. Once it is accepted, that is also what came beside a payment that was given
 * back since, or seemed to be the setup fee, while no cycle is paid.
 */
function isOpen(
  { payment, decided: { purpose, terms } }: Known,
  given: PaypalSubscription,
  { isAccepted, acceptedAt, purposes, ...facts }: Deciding,
): Purposes | undefined {
  if (purpose === 'waiting') return isAccepted || terms === buyersTerms(given) ? purposes : undefined
  if (purpose !== 'beside' && purpose !== 'fee') return undefined
  if (!acceptedAt || payment.at > acceptedAt || lastingCycle(given, { ...facts, purposes })) return undefined
  return new Map([...purposes].filter(([id]) => id !== payment.id))
}

/** What is read first together with a later payment of a trial was for that, too, at what it cost then: seats may have been added since. */
function withEarlierTrials({ payments }: PaypalSubscription, { decided, purposes }: Deciding): Purposes {
  const last = payments.findLastIndex(({ id }) => purposes.get(id)?.purpose === 'trial')
  const of = purposes.get(payments[last]?.id ?? '')
  const earlier = payments.slice(0, Math.max(last, 0)).flatMap(({ id }): [string, DecidedPayment][] => {
    const one = decided.has(id) ? undefined : purposes.get(id)
    return of && one?.purpose === 'waiting' ? [[id, { ...one, purpose: 'trial', reason: null, plan: of.plan }]] : []
  })
  return earlier.length === 0 ? purposes : new Map([...purposes, ...earlier])
}

/** What a row says that an earlier version of this program has stored was decided then. */
function decidedBefore({ decided, before }: PaidFacts): Purposes {
  if (!before?.paidBy || !before.periodEnd || decided.has(before.paidBy)) return decided
  const { periodStart, periodEnd } = before
  const paid = { plan: planOf(before), periodStart, periodEnd, terms: '', collectedAt: null }
  const cycle = { purpose: 'cycle', reason: null, ...paid } as const
  return new Map([...decided, [before.paidBy, cycle]])
}

/**
 * Of what would wait, what was paid within that is paid waits for nobody; nor does what came before it, once it is an order or was accepted, and,
 * if it is read first now and nothing waits, what may have been for a cycle on terms of the vendor's.
 */
function besideOf(given: PaypalSubscription, { cycle, purposes, ...facts }: Deciding & { cycle: Cycle }): Purposes {
  const [from, until] = [cycle.periodStart.getTime() - aheadMs, cycle.periodEnd.getTime() - dayMs]
  const { decided: known, ordered, releasedAt, waiting } = facts
  const isSettled = (one: PaypalPayment) => ordered?.has(one.id) || wasCollected(one, purposes, releasedAt)
  const isBeside = (one: PaypalPayment) =>
    isBefore(one, from)
      ? isSettled(one) || (!waiting && !known.has(one.id) && isOfVendor(one, given, facts))
      : isBefore(one, until)
  const beside = given.payments.filter((one) => purposes.get(one.id)?.purpose === 'waiting' && isBeside(one))
  const decided = beside.flatMap(({ id }): [string, DecidedPayment][] => {
    const one = purposes.get(id)
    return one ? [[id, { ...one, purpose: 'beside', reason: null }]] : []
  })
  return new Map([...purposes, ...decided])
}

/**
 * Whether a payment from before what is granted was for a cycle on terms of the vendor's, or may have been: PayPal does not show the terms
 * of then. Between plans that the catalog knows it is a number of units at the price of one of them. A vendor's own plan, or one that has
 * another price than before, may have cost anything; what its buyer has overridden is not the vendor's word.
 */
function isOfVendor(
  payment: PaypalPayment,
  given: PaypalSubscription,
  { unitPrices, listPrice }: Pick<PaidFacts, 'unitPrices' | 'listPrice'>,
): boolean {
  if (!unitPrices || (given.isRepriced && !given.isOverridden)) return !given.isOverridden
  const isOwnLess = (given.amount ?? 0) < (listPrice?.amount ?? 0)
  const units = [...unitPrices, ...(given.amount === null || isOwnLess ? [] : [given.amount])]
  const sums = [payment.amount, beforeTax(payment, given)]
  return units.some((unit) => unit > 0 && sums.some((sum) => sum % unit === 0))
}

function isBefore({ at }: PaypalPayment, ms: number): boolean {
  return at.getTime() < ms
}
