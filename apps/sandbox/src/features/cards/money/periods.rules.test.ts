import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundary, periodAround } from './periods.rules.ts'

const at = (moment: string) => Date.parse(moment) / 1000
const month = { interval: 'month', interval_count: 1 }

test.each([
  ['2027-01-31T10:20:30Z', month, 1, '2027-02-28T10:20:30Z'],
  ['2027-01-31T10:20:30Z', month, 2, '2027-03-31T10:20:30Z'],
  ['2027-01-31T10:20:30Z', month, 3, '2027-04-30T10:20:30Z'],
  ['2028-01-31T00:00:00Z', month, 1, '2028-02-29T00:00:00Z'],
  ['2028-02-29T12:00:00Z', { interval: 'year', interval_count: 1 }, 1, '2029-02-28T12:00:00Z'],
  ['2028-02-29T12:00:00Z', { interval: 'year', interval_count: 1 }, 4, '2032-02-29T12:00:00Z'],
  ['2027-11-30T23:59:59Z', { interval: 'month', interval_count: 3 }, 1, '2028-02-29T23:59:59Z'],
  ['2027-01-31T10:00:00Z', { interval: 'week', interval_count: 2 }, 1, '2027-02-14T10:00:00Z'],
  ['2027-01-31T10:00:00Z', { interval: 'day', interval_count: 1 }, -31, '2026-12-31T10:00:00Z'],
  ['2027-03-31T10:00:00Z', month, -1, '2027-02-28T10:00:00Z'],
])('from %s, %o, %i: %s', (anchor, every, count, expected) => {
  expect(boundary(at(anchor), every, count)).toBe(at(expected))
})

test('every moment is in exactly one period, and the next one starts at its end', () => {
  const every = fc.record({
    interval: fc.constantFrom('day', 'week', 'month', 'year'),
    interval_count: fc.integer({ min: 1, max: 3 }),
  })
  const moment = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') })
  fc.assert(
    fc.property(moment, every, moment, (anchor, interval, now) => {
      const { start, end } = periodAround(anchor, interval, now)
      expect(start).toBeLessThanOrEqual(now)
      expect(end).toBeGreaterThan(now)
      expect(periodAround(anchor, interval, end).start).toBe(end)
      expect(periodAround(anchor, interval, start)).toEqual({ start, end })
    }),
    { numRuns: 3000 },
  )
})
