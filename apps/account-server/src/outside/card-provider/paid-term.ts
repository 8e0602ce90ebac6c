import type Stripe from 'stripe'
import { monthsLater } from '../../db/calendar.rules.ts'
import { dateOf } from './open-invoices.ts'

/** The metadata with which a subscription says when the term began that the Owner before has paid, in epoch seconds. */
const mark = 'paidFrom'

interface Term {
  price: Stripe.Price
  /** Its end, in epoch seconds. */
  end: number
  /** Epoch seconds at which it may have begun; those at which a term of this price that ends then cannot begin are left out. */
  begins: readonly number[]
}

/** Months of a price; undefined: it is billed by days or weeks, or once. */
export function monthsOf({ recurring }: Pick<Stripe.Price, 'recurring'>): number | undefined {
  const { interval, interval_count: count = 1 } = recurring ?? {}
  if (interval === 'year') return 12 * count
  return interval === 'month' ? count : undefined
}

/** Epoch seconds. A month that ends on February 28 may have begun on January 28, 29, 30 or 31: its end alone does not say. */
export function termStart({ price, end, begins }: Term): number {
  const months = monthsOf(price) ?? 1
  const isWhole = (begin: number) => later(begin, months) === end
  return begins.find(isWhole) ?? later(end, -months)
}

function later(seconds: number, months: number): number {
  return monthsLater(dateOf(seconds), months).getTime() / 1000
}

/** The vendor can edit it. */
export function paidFromIn({ [mark]: text }: Stripe.Metadata): number[] {
  const seconds = Number(text)
  return Number.isSafeInteger(seconds) && seconds > 0 ? [seconds] : []
}

/** For what continues a subscription; nothing where its end says it. */
export function paidFromMetadata({ items, metadata }: Stripe.Subscription): Readonly<Record<string, string>> {
  const [item] = items.data
  if (!item) return {}
  const { price, current_period_end: end, current_period_start: start } = item
  const begin = termStart({ price, end, begins: [start, ...paidFromIn(metadata)] })
  return begin === termStart({ price, end, begins: [] }) ? {} : { [mark]: String(begin) }
}
