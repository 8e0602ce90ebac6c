import { monthsLater } from '../../db/calendar.rules.ts'
import type { Interval } from '../../outside/paypal/plans.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'

/** When a subscription is billed. */
interface BillingSchedule {
  /** One moment at which it is billed. */
  anchor: Date
  /** Its first day: a subscription from the 31st is billed on the last day of a shorter month, and on the 31st again after that. */
  startsAt: Date
  interval: Interval
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A provider charges within hours of the moment that it names, sometimes before it. */
export const earlyMs = 12 * hourMs

export interface Cycle {
  periodStart: Date
  periodEnd: Date
}

type Billed = Pick<PaypalSubscription, 'nextBillingAt' | 'startsAt' | 'trials' | 'interval'>

/**
 * The cycle that a payment at PayPal is for: one that was collected days late, by a retry, pays for the cycle that began before it.
 * @param storedEnd of the period that is stored here: PayPal forgets the next billing with a suspension or a cancellation
 * @returns undefined if PayPal does not bill it in intervals
 */
export function paidCycle(billed: Billed, paidAt: Date, storedEnd: Date | null): Cycle | undefined {
  const { nextBillingAt, startsAt, trials, interval } = billed
  if (!interval) return undefined
  const known = nextBillingAt ?? storedEnd
  if (known) return cycleAt({ anchor: known, startsAt, interval }, { paidAt, earlyMs })
  // After a trial the cycles count from its end. They never count from a payment, which may be late.
  const anchor = trials.reduce((end, { begun, interval: length }) => intervalsLater(end, length, begun), startsAt)
  // It is billed at another time of day than it began.
  return cycleAt({ anchor, startsAt, interval }, { paidAt, earlyMs: dayMs })
}

/**
 * The cycles between those of two payments, newest first: what they cost was outstanding, or they were not billed.
 * @param end of the earlier one, `start` of the later one
 */
export function cyclesBetween(interval: Interval, { end, start }: { end: Date; start: Date }): Cycle[] {
  const cycles: Cycle[] = []
  let periodEnd = start
  while (periodEnd.getTime() > end.getTime() + earlyMs) {
    const periodStart = intervalsLater(start, interval, -cycles.length - 1)
    cycles.push({ periodStart, periodEnd })
    periodEnd = periodStart
  }
  return cycles
}

interface Paid {
  paidAt: Date
  /** How long before the beginning of a cycle it may be charged. */
  earlyMs: number
}

/** A payment ahead of the start is for the first cycle. */
function cycleAt(schedule: BillingSchedule, { paidAt, earlyMs: early }: Paid): Cycle {
  const { startsAt } = schedule
  const latest = Math.max(paidAt.getTime(), startsAt.getTime()) + early
  let count = 0
  while (boundary(schedule, count).getTime() > latest) count -= 1
  while (boundary(schedule, count + 1).getTime() <= latest) count += 1
  const begin = boundary(schedule, count)
  // The first cycle begins with the subscription, not at the time of day at which it is billed later.
  const isFirst = begin.getTime() <= startsAt.getTime() + earlyMs
  return { periodStart: isFirst ? startsAt : begin, periodEnd: boundary(schedule, count + 1) }
}

/** The moment of billing so many cycles after the anchor, or before it. */
function boundary({ anchor, startsAt, interval: { unit, count } }: BillingSchedule, cycles: number): Date {
  const moment = intervalsLater(anchor, { unit, count }, cycles)
  if (unit === 'DAY' || unit === 'WEEK') return moment
  const isShortened = anchor.getUTCDate() === lastDayOfMonth(anchor) && startsAt.getUTCDate() > anchor.getUTCDate()
  if (isShortened) moment.setUTCDate(Math.min(startsAt.getUTCDate(), lastDayOfMonth(moment)))
  return moment
}

/** A date so many intervals later, or earlier; months end at their last day. */
export function intervalsLater(date: Date, { unit, count }: Interval, times: number): Date {
  const many = times * count
  if (unit === 'DAY' || unit === 'WEEK') return new Date(date.getTime() + many * (unit === 'WEEK' ? 7 : 1) * dayMs)
  return monthsLater(date, unit === 'YEAR' ? many * 12 : many)
}

function lastDayOfMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}
