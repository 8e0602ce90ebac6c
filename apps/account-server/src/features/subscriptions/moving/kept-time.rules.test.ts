import { expect, test } from 'vitest'
import { lastPaidTime } from './kept-time.rules.ts'

const day = (number: number) => new Date(number * 86_400_000)
const year = { amount: 10_000, refunded: 0, from: day(0), until: day(1000) }
const added = { amount: 5000, refunded: 0, from: day(500), until: day(1000) }

test('what was given back takes its part of the time from the end', () => {
  expect(lastPaidTime([year])).toEqual({ payments: [year], until: day(1000), keptUntil: day(1000) })
  expect(lastPaidTime([{ ...year, refunded: 2500 }])).toMatchObject({ until: day(1000), keptUntil: day(750) })
  expect(lastPaidTime([{ ...year, refunded: 10_000 }])?.keptUntil).toEqual(day(0))
  expect(lastPaidTime([])).toBeUndefined()
})

test('what a change had added in the middle costs as much of the time as it was worth together with what was there', () => {
  // Half of what the second half had cost.
  expect(lastPaidTime([year, { ...added, refunded: 5000 }])?.keptUntil).toEqual(day(750))
  // All that was not used by then: a whole change, and half of the year.
  const both = [
    { ...year, refunded: 5000 },
    { ...added, refunded: 5000 },
  ]
  expect(lastPaidTime(both)?.keptUntil).toEqual(day(500))
  // Before the change, the year alone pays.
  expect(lastPaidTime([{ ...year, refunded: 10_000 }, added])?.keptUntil).toEqual(day(500))
})

test('a month that was credited for the year instead of it takes of that, an earlier month takes nothing', () => {
  const month = { amount: 1000, refunded: 1000, from: day(0), until: day(30) }
  const instead = { amount: 9000, refunded: 0, from: day(10), until: day(460) }
  // $10 of $20 for each day.
  expect(lastPaidTime([month, instead])).toMatchObject({ until: day(460), keptUntil: day(410) })
  const next = { amount: 1000, refunded: 0, from: day(30), until: day(60) }
  expect(lastPaidTime([month, next])).toEqual({ payments: [next], until: day(60), keptUntil: day(60) })
})

test('a refund counts in whole seconds, to the vendor’s favour', () => {
  const { keptUntil } = lastPaidTime([{ ...year, refunded: 1 }]) ?? {}
  expect(Number(keptUntil)).toBe(Math.floor(Number(day(1000)) / 1000 - 8640) * 1000)
})
