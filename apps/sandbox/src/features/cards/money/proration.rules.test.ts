import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divided, percentOf, remaining, taxWithin } from './proration.rules.ts'

const amount = fc.integer({ min: 0, max: 99_999_999 })
const many = { numRuns: 5000 }

test.each([
  [1000, { start: 0, end: 100 }, 50, 500],
  [20_000, { start: 0, end: 365 * 86_400 }, (365 - 73) * 86_400, 4000],
  [1000, { start: 0, end: 300 }, 200, 333],
  [1, { start: 0, end: 2 }, 1, 1],
  [999, { start: 0, end: 10 }, 10, 0],
  [999, { start: 5, end: 10 }, 0, 999],
])('of %i for %o the rest from %i is %i', (total, period, from, expected) => {
  expect(remaining(total, period, from)).toBe(expected)
})

test('a prorated amount differs from the exact fraction by at most half a minor unit', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 1, max: 100_000_000 }), fc.nat(), (total, length, at) => {
      const from = at % length
      const rounded = BigInt(remaining(total, { start: 0, end: length }, from))
      // |rounded − total × (length − from) ÷ length| ≤ ½, without fractions.
      const difference = 2n * (rounded * BigInt(length) - BigInt(total) * BigInt(length - from))
      expect(difference <= BigInt(length) && difference >= -BigInt(length)).toBe(true)
    }),
    many,
  )
})

test('a credit is exactly the negative of its charge', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 1, max: 100_000_000 }), fc.nat(), (total, length, at) => {
      const period = { start: 0, end: length }
      // By addition, because a negative zero is not a zero to `toBe`.
      expect(remaining(-total, period, at) + remaining(total, period, at)).toBe(0)
    }),
    many,
  )
})

test('a divided total is the sum of its parts, none of which is off by a minor unit', () => {
  fc.assert(
    fc.property(amount, fc.array(amount, { minLength: 1, maxLength: 20 }), (total, weights) => {
      const parts = divided(total, weights)
      const sum = weights.reduce((all, weight) => all + weight, 0)
      expect(parts.reduce((all, part) => all + part, 0)).toBe(sum === 0 ? 0 : total)
      if (sum === 0) return
      for (const [place, part] of parts.entries()) {
        const exact = BigInt(total) * BigInt(weights[place] ?? 0)
        const difference = BigInt(part) * BigInt(sum) - exact
        expect(difference < BigInt(sum) && difference > -BigInt(sum)).toBe(true)
      }
    }),
    many,
  )
})

test('the tax within an amount is the tax on what is left of it, within rounding', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 3000 }), (total, hundredths) => {
      const percent = hundredths / 100
      const tax = taxWithin(total, percent)
      expect(Math.abs(percentOf(total - tax, percent) - tax)).toBeLessThanOrEqual(1)
    }),
    many,
  )
})

test.each([
  [1000, 12.5, 125],
  [999, 50, 500],
  [100, 0.01, 0],
  [99_999_999, 100, 99_999_999],
])('of %i %d percent are %i', (total, percent, expected) => {
  expect(percentOf(total, percent)).toBe(expected)
})
