/**
 * The arithmetic of billing: whole minor units, exact fractions, one rounding a line.
 *
 * The provider prorates to the second (https://docs.stripe.com/billing/subscriptions/prorations) and rounds each line to the
 * minor unit. It does not document which way a half goes; here it goes away from zero, so that a credit is exactly the
 * negative of the charge that it takes back.
 */

/** `amount × part ÷ whole`, rounded once. @param whole above zero */
function portion(amount: number, part: number, whole: number): number {
  return Number(roundedQuotient(BigInt(amount) * BigInt(part), BigInt(whole)))
}

/** `numerator ÷ denominator` to the nearest integer, halves away from zero. */
function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n
  const size = isNegative ? -numerator : numerator
  const rounded = (2n * size + denominator) / (2n * denominator)
  return isNegative ? -rounded : rounded
}

/** Epoch seconds, the end not included. */
export interface Period {
  start: number
  end: number
}

/** The part of an amount for a whole period that falls to the time from a moment to its end. */
export function remaining(amount: number, { start, end }: Period, from: number): number {
  if (from <= start) return amount
  return from >= end ? 0 : portion(amount, end - from, end - start)
}

/** A percentage with two decimals of an amount, rounded. */
export function percentOf(amount: number, percent: number): number {
  return portion(amount, hundredths(percent), 10_000)
}

/** The tax that an amount contains already. */
export function taxWithin(amount: number, percent: number): number {
  return portion(amount, hundredths(percent), 10_000 + hundredths(percent))
}

/** Percentages have at most two decimals, so this is exact. */
function hundredths(percent: number): number {
  return Math.round(percent * 100)
}

/**
 * Divides a total in proportion to weights: the parts are whole, and their sum is the total. What rounding down leaves goes
 * to those with the largest remainder, the first first.
 */
export function divided(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n)
  if (sum === 0n) return weights.map(() => 0)
  const exact = weights.map((weight) => BigInt(total) * BigInt(weight))
  const parts = exact.map((numerator) => numerator / sum)
  let left = Number(BigInt(total) - parts.reduce((all, part) => all + part, 0n))
  const byRemainder = exact
    .map((numerator, place) => ({ place, rest: numerator % sum }))
    .sort((one, other) => Number(other.rest > one.rest) - Number(other.rest < one.rest))
  for (const { place } of byRemainder) {
    if (left <= 0) break
    parts[place] = (parts[place] ?? 0n) + 1n
    left -= 1
  }
  return parts.map(Number)
}
