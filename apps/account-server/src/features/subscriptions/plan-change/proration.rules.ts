/** A term, and from when on it counts. Epoch seconds. */
export interface Rest {
  begin: number
  from: number
  end: number
}

/**
 * The part of an amount for a whole term that falls to its rest: to the second, rounded once, halves away from zero, as the card
 * provider does it.
 * @param step the smallest amount that can be charged, in minor units
 */
export function remaining(amount: number, { begin, from, end }: Rest, step = 1): number {
  if (end <= begin || from >= end) return 0
  const part = BigInt(amount) * BigInt(end - Math.max(from, begin))
  const whole = BigInt(end - begin) * BigInt(step)
  return Number((2n * part + whole) / (2n * whole)) * step
}

export function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
