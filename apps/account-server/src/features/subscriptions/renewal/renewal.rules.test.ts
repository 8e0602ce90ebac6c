import { expect, test } from 'vitest'
import { renewedPeriod } from './renewal.rules.ts'
import { isInRenewalWindow } from './renewal-window.rules.ts'

const end = new Date('2026-06-01T12:00:00Z')
const at = (seconds: number) => new Date(end.getTime() + seconds * 1000)
const day = 86_400

test.each([
  ['90 days before', -90 * day, true],
  ['a second earlier', -90 * day - 1, false],
  ['at the end', 0, true],
  ['30 days after', 30 * day, true],
  ['a second later', 30 * day + 1, false],
])('%s', (_when, seconds, expected) => {
  expect(isInRenewalWindow(end, at(seconds))).toBe(expected)
})

test('what never ends is never renewed', () => {
  expect(isInRenewalWindow(null, end)).toBe(false)
})

test.each([
  ['2026-06-01T12:00:00.000Z', '2027-06-01T12:00:00.000Z'],
  ['2028-02-29T00:00:00.000Z', '2029-02-28T00:00:00.000Z'],
  ['2027-02-28T00:00:00.000Z', '2028-02-28T00:00:00.000Z'],
])('a year after %s is %s', (from, to) => {
  const { periodStart, periodEnd } = renewedPeriod({ periodEnd: new Date(from) })
  expect([periodStart.toISOString(), periodEnd.toISOString()]).toEqual([from, to])
})
