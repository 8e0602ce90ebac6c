import { expect, test } from 'vitest'
import { newCardReason, nextTryAt, triesOf } from './cards.rules.ts'

const now = new Date('2026-06-02T12:00:00Z')
const limits = { attempts: 5, declines: 3 }
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

const tried = (minutes: number, isTried = true) => ({
  isTried,
  createdAt: minutesAgo(minutes),
  declinedAt: null,
  declines: 0,
})
const declined = (minutes: number) => ({
  isTried: true,
  createdAt: minutesAgo(minutes),
  declinedAt: minutesAgo(minutes),
  declines: 1,
})

test('four cards in an hour leave one, five leave none until the first of them is an hour old', () => {
  expect(
    nextTryAt(
      [50, 40, 30, 20].map((minutes) => tried(minutes)),
      now,
      limits,
    ),
  ).toBeUndefined()
  expect(
    nextTryAt(
      [50, 40, 30, 20, 10].map((minutes) => tried(minutes)),
      now,
      limits,
    ),
  ).toEqual(minutesAgo(-10))
  expect(
    nextTryAt(
      [61, 40, 30, 20, 10].map((minutes) => tried(minutes)),
      now,
      limits,
    ),
  ).toBeUndefined()
})

test('additions that never reached the provider do not count', () => {
  const idle = [5, 4, 3, 2, 1].flatMap((minutes) => [tried(minutes, false), tried(minutes, false)])
  expect(nextTryAt(idle, now, limits)).toBeUndefined()
})

test('three declined cards within an hour pause for a day from the third', () => {
  expect(nextTryAt([declined(300), declined(250), declined(241)], now, limits)).toEqual(minutesAgo(241 - 24 * 60))
})

test('three declined cards over more than an hour do not', () => {
  expect(nextTryAt([declined(301), declined(250), declined(240)], now, limits)).toBeUndefined()
})

test('three cards that were declined in one addition count as three', () => {
  expect(nextTryAt([{ ...declined(10), declines: 3 }], now, limits)).toEqual(minutesAgo(10 - 24 * 60))
})

test('additions are limited to six times the hourly limit, even if none reached the provider', () => {
  const idle = Array.from({ length: 30 }, (_, place) => tried(place + 1, false))
  expect(nextTryAt(idle.slice(1), now, limits)).toBeUndefined()
  expect(nextTryAt(idle, now, limits)).toEqual(minutesAgo(30 - 60))
})

test('a pause ends after a day, and is found between other declines', () => {
  const day = 24 * 60
  expect(nextTryAt([day + 30, day + 20, day + 1].map(declined), now, limits)).toBeUndefined()
  expect(nextTryAt([...[600, 590, 580].map(declined), declined(100)], now, limits)).toEqual(minutesAgo(580 - day))
})

test('a declined card was tried; one that did not reach the provider was not', () => {
  const createdAt = minutesAgo(5)
  const declinedAt = minutesAgo(4)
  const result = { declines: 2, declinedAt: declinedAt.toISOString() }
  expect(
    triesOf([
      { status: 'failed', problem: 'card_refused', result, createdAt },
      { status: 'failed', problem: 'card_provider_unavailable', result: {}, createdAt },
      { status: 'canceled', problem: 'card_not_confirmed', result: {}, createdAt },
    ]),
  ).toEqual([
    { isTried: true, createdAt, declines: 2, declinedAt },
    { isTried: false, createdAt, declines: 0, declinedAt: null },
    { isTried: true, createdAt, declines: 0, declinedAt: null },
  ])
})

test('of a new card it is not said what only its bank knows', () => {
  const said = ['insufficient_funds', 'lost_card', 'expired_card', 'incorrect_cvc'].map(newCardReason)
  expect(said).toEqual(['unknown', 'unknown', 'expired_card', 'incorrect_cvc'])
})
