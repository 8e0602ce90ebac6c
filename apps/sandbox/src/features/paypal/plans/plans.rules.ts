import type { Cycle, Frequency, Plan, Subscription } from '../store/stored.ts'
import { shareOf } from '../wire/money.rules.ts'

const dayMs = 24 * 3_600_000

/** A changed price counts for subscribers of before only from ten days later, since they are told of it first. */
const noticeMs = 10 * dayMs

/** The price of one unit of a cycle for a subscription that is billed at a time. */
export function priceAt({ prices }: Cycle, subscribedAt: string, billedAt: Date): Cycle['prices'][number] | undefined {
  const noticed = new Date(billedAt.getTime() - noticeMs)
  const counts = (since: string) => new Date(since) <= noticed || new Date(since) <= new Date(subscribedAt)
  return prices.findLast(({ since }) => counts(since)) ?? prices[0]
}

/** What a cycle costs with quantity and tax; 0 for a free trial. */
export function chargeOf(plan: Plan, cycle: Cycle, subscription: Subscription, billedAt: Date): number {
  const price = priceAt(cycle, subscription.createdAt, billedAt)
  if (!price || price.amount === 0) return 0
  const net = Math.round(price.amount * Number(subscription.quantity))
  return net + taxOn(plan, net)
}

/** The tax on top of a net price; none if the price includes it. */
export function taxOn({ taxes }: Plan, net: number): number {
  return taxes && !taxes.inclusive ? shareOf(net, taxes.percentage) : 0
}

/** The cycle that is billed next; `undefined` after the last one. */
export function nextCycle(plan: Plan, completed: Subscription['completed']): Cycle | undefined {
  return plan.cycles.find(({ sequence, totalCycles }) => totalCycles === 0 || (completed[sequence] ?? 0) < totalCycles)
}

type Begun = Pick<Subscription, 'startTime' | 'monthsFrom'>

/**
 * When the period that begins at a time ends: PayPal bills at ten o'clock UTC. Months keep the day of the start, or of the end of the
 * days or weeks before them, or end on their last day.
 */
export function periodEnd(from: Date, { unit, count }: Frequency, { startTime, monthsFrom }: Begun): Date {
  const [year, month, day] = [from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate()]
  if (unit === 'DAY' || unit === 'WEEK') return tenOClock(year, month, day + count * (unit === 'WEEK' ? 7 : 1))
  const months = count * (unit === 'YEAR' ? 12 : 1)
  const lastDay = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate()
  return tenOClock(year, month + months, Math.min(new Date(monthsFrom ?? startTime).getUTCDate(), lastDay))
}

/** When the cycle after the one that begins at a time is billed, and since when months are counted then. */
export function cycleAfter(from: Date, frequency: Frequency, begun: Begun): { nextBillingAt: string } & Partial<Begun> {
  const nextBillingAt = periodEnd(from, frequency, begun).toISOString()
  const isInMonths = frequency.unit === 'MONTH' || frequency.unit === 'YEAR'
  return isInMonths ? { nextBillingAt } : { nextBillingAt, monthsFrom: nextBillingAt }
}

function tenOClock(year: number, month: number, day: number): Date {
  return new Date(Date.UTC(year, month, day, 10))
}

/** When the last cycle is billed; `undefined` for a plan without an end. */
export function finalPaymentTime(plan: Plan, subscription: Subscription): Date | undefined {
  if (subscription.nextBillingAt === null) return undefined
  const completed = { ...subscription.completed }
  let at = { ...subscription, nextBillingAt: subscription.nextBillingAt }
  for (let cycle = nextCycle(plan, completed); cycle; cycle = nextCycle(plan, completed)) {
    if (cycle.totalCycles === 0) return undefined
    completed[cycle.sequence] = (completed[cycle.sequence] ?? 0) + 1
    const billedAt = new Date(at.nextBillingAt)
    if (!nextCycle(plan, completed)) return billedAt
    at = { ...at, ...cycleAfter(billedAt, cycle.frequency, at) }
  }
  return undefined
}
