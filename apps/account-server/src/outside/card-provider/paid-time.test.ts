import { expect, test } from 'vitest'
import { keptUntil } from './paid-time.ts'

const year = { amount: 10_000, refunded: 0, from: 0 }

test('what was given back takes its part of the time from the end', () => {
  expect(keptUntil([year], 1000)).toBe(1000)
  expect(keptUntil([{ ...year, refunded: 2500 }], 1000)).toBe(750)
  expect(keptUntil([{ ...year, refunded: 10_000 }], 1000)).toBe(0)
})

test('what a change had added in the middle costs as much of the time as it was worth together with what was there', () => {
  const added = { amount: 5000, refunded: 0, from: 500 }
  // Half of what the second half had cost.
  expect(keptUntil([year, { ...added, refunded: 5000 }], 1000)).toBe(750)
  // All that was not used by then: a whole change, and half of the year.
  expect(
    keptUntil(
      [
        { ...year, refunded: 5000 },
        { ...added, refunded: 5000 },
      ],
      1000,
    ),
  ).toBe(500)
})
