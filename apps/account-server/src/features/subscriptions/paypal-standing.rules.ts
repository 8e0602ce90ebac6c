import type { SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { intervalsLater } from './billing-cycle.rules.ts'
import type { PaidTime } from './paypal-paid.rules.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

const dayMs = 24 * 3_600_000

export interface Standing {
  status: SubscriptionStatus
  cancelAt: Date | null
  endedAt: Date | null
  pastDueSince: Date | null
}

interface StandingFacts {
  before: Pick<SubscriptionRow, 'status' | 'cancelAt' | 'endedAt' | 'pastDueSince'> | undefined
  paid: PaidTime
  /** The customer has just turned auto-renewal off here. */
  isTurnedOff: boolean
  lateBillingDays: number
  now: Date
}

/**
 * What PayPal's state means. Suspended or canceled, it never takes what was paid for, and never prolongs it; what is past due begins
 * with a payment that failed.
 */
export function paypalStandingOf(given: PaypalSubscription, facts: StandingFacts): Standing {
  const { status } = given
  const { before, paid, isTurnedOff } = facts
  if (status === 'ACTIVE') return activeStanding(given, facts)
  if (status === 'SUSPENDED') {
    // Suspended by Atrium: auto-renewal is off. PayPal itself suspends after failed payments.
    const isOff = isTurnedOff || (before?.cancelAt ?? null) !== null
    const isDue = given.failure !== null || isStillDue(given, before)
    return isDue && !isOff && untilOf(paid) ? pastDue(given, facts) : endingStanding(given, facts)
  }
  if (status === 'CANCELLED' || status === 'EXPIRED') return endingStanding(given, facts)
  return goesOn('pending')
}

export function goesOn(status: SubscriptionStatus): Standing {
  return { status, cancelAt: null, endedAt: null, pastDueSince: null }
}

/** Until when it is paid, or tried; undefined: neither. */
function untilOf({ cycle, trial }: PaidTime): Date | undefined {
  return (cycle ?? trial)?.periodEnd
}

/** Nothing that is not paid is granted: before the start, after what was given back, and once PayPal could have billed it. */
function activeStanding(given: PaypalSubscription, facts: StandingFacts): Standing {
  const { paid, now } = facts
  const until = untilOf(paid)
  if (!until) return goesOn('pending')
  if (given.failure) return pastDue(given, facts)
  if (!paid.cycle) return goesOn('trialing')
  // The last cycle of a plan with an end: nothing is billed next.
  if (!given.nextBillingAt) return endingStanding(given, facts)
  return goesOn(accessUntil(given, facts) > now ? 'active' : 'pending')
}

/**
 * Until when it can be used without another payment: the end of what was paid, and some days more while PayPal has only not billed it
 * yet, which it does hours late. What was suspended over that end, and activated later, was not to be billed then: PayPal stops processing
 * payments in between.
 */
function accessUntil(given: PaypalSubscription, { paid, lateBillingDays }: StandingFacts): Date {
  const until = untilOf(paid) ?? new Date(0)
  const { status, failure, nextBillingAt, interval, changedAt } = given
  if (status !== 'ACTIVE' || failure || !paid.cycle || paid.isGivenBack || !nextBillingAt || !interval) return until
  if (changedAt > until) return until
  const bills = [nextBillingAt, intervalsLater(nextBillingAt, interval, -1)]
  const isDueThen = bills.some((bill) => Math.abs(bill.getTime() - until.getTime()) <= dayMs)
  return isDueThen ? new Date(until.getTime() + lateBillingDays * dayMs) : until
}

/** The stored end of access of what is not turned off; null: nothing was paid. */
export function paidUntilOf(given: PaypalSubscription, facts: StandingFacts): Date | null {
  return facts.paid.cycle ? accessUntil(given, facts) : null
}

/**
 * The days of retries count from the first failure, and at the latest from when it was to be billed: what is read for the first time has failed
 * before, and what was paid may be given back since.
 */
function pastDue(given: PaypalSubscription, { before, paid, lateBillingDays }: StandingFacts): Standing {
  const known = before?.status === 'past_due' ? before.pastDueSince : null
  const failedAt = known ?? given.failure?.at ?? given.changedAt
  const latest = (untilOf(paid) ?? failedAt).getTime() + lateBillingDays * dayMs
  return { ...goesOn('past_due'), pastDueSince: new Date(Math.min(failedAt.getTime(), latest)) }
}

/** Nothing is billed any more: what is paid can be used until its end. */
function endingStanding(given: PaypalSubscription, { before, paid, now }: StandingFacts): Standing {
  const until = untilOf(paid)
  const isFinal = given.status !== 'SUSPENDED'
  if (until && until > now) {
    return { status: 'active', cancelAt: until, endedAt: isFinal ? until : null, pastDueSince: null }
  }
  const isUnpaid = before?.status === 'canceled' || isStillDue(given, before)
  return {
    status: 'canceled',
    cancelAt: before?.cancelAt ?? null,
    endedAt: endOf(given, { before, until, now }),
    // What ended unpaid keeps the day since when: it is why it ended.
    pastDueSince: isUnpaid ? (before?.pastDueSince ?? null) : null,
  }
}

interface Ended extends Pick<StandingFacts, 'before' | 'now'> {
  until: Date | undefined
}

/** What ran out ended with what was paid; what was not paid, or given back, when it was canceled. */
function endOf({ changedAt }: PaypalSubscription, { before, until, now }: Ended): Date {
  if (before?.endedAt && before.endedAt <= now) return before.endedAt
  if (before?.status === 'past_due') return changedAt
  return until ?? changedAt
}

/** PayPal forgets a failed payment with the cancellation; what was due then is paid if something was paid since. */
function isStillDue({ lastPaidAt }: PaypalSubscription, before: StandingFacts['before']): boolean {
  if (before?.status !== 'past_due') return false
  return lastPaidAt === null || before.pastDueSince === null || lastPaidAt < before.pastDueSince
}
