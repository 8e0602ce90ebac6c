import { daysLater } from '../../../db/calendar.rules.ts'
import type { TimedPayment } from '../../../outside/card-provider/paid-time.ts'

/** The time for which payments pay together. */
export interface PaidTime<Payment extends TimedPayment = TimedPayment> {
  /** Oldest first, by the end of their time. */
  payments: readonly Payment[]
  until: Date
  /** Until when what was not given back pays for it; whole seconds. */
  keptUntil: Date
}

/**
 * The last time for which was paid: the payment that ends last, and all whose time overlaps with it. A payment for an earlier period is none
 * of them; one for a month is, within which a year was bought instead, since it was credited for that.
 * @returns undefined: nothing was paid
 */
export function lastPaidTime<Payment extends TimedPayment>(
  payments: readonly Payment[],
): PaidTime<Payment> | undefined {
  const latestFirst = [...payments].sort((one, other) => other.until.getTime() - one.until.getTime())
  const [last] = latestFirst
  if (!last) return undefined
  const together: Payment[] = []
  let from = last.from
  for (const payment of latestFirst) {
    // A provider ends a period some time after the moment that it names.
    if (payment.until <= daysLater(from, 1) && payment !== last) continue
    together.unshift(payment)
    if (payment.from < from) from = payment.from
  }
  return { payments: together, until: last.until, keptUntil: keptUntil(together, last.until) }
}

/**
 * What each pays, it pays evenly for its time, on top of the others: a change charges the difference for the rest. So what was given back
 * takes time from the end, in which all that was paid for it counts together, whoever has paid which of it.
 */
function keptUntil(payments: readonly TimedPayment[], until: Date): Date {
  let left = payments.reduce((sum, { refunded }) => sum + refunded, 0)
  if (left === 0) return until
  const moments = payments.flatMap((payment) => [payment.from.getTime(), payment.until.getTime()])
  const [latest = 0, ...before] = [...new Set(moments)].sort((one, other) => other - one)
  let end = latest
  for (const start of before) {
    const perMs = payments
      .filter((payment) => payment.from.getTime() <= start && payment.until.getTime() >= end)
      .reduce((sum, payment) => sum + payment.amount / (payment.until.getTime() - payment.from.getTime()), 0)
    const worth = perMs * (end - start)
    if (worth >= left) return wholeSeconds(end - left / perMs)
    left -= worth
    end = start
  }
  return new Date(end)
}

/** As the providers count, and a little less than was paid rather than more. */
function wholeSeconds(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000)
}
