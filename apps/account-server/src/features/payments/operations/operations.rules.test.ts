import { expect, test } from 'vitest'
import { isFresh, isInTimeForCall, isRunning, nextCheckAt } from './operations.rules.ts'

const now = new Date('2026-06-01T12:00:00Z')
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000)
const pauseOf = (status: 'pending' | 'requires_action', seconds: number) =>
  (nextCheckAt({ status, createdAt: secondsAgo(seconds) }, now).getTime() - now.getTime()) / 1000

test('for 45 seconds after the call a request may still be running it', () => {
  expect(isFresh({ calledAt: secondsAgo(45) }, now)).toBe(true)
  expect(isFresh({ calledAt: secondsAgo(46) }, now)).toBe(false)
  expect(isFresh({ calledAt: null }, now)).toBe(false)
})

test('the last of several calls begins so early that it ends while the request may still be running', () => {
  expect(isInTimeForCall({ calledAt: secondsAgo(28) }, now)).toBe(true)
  expect(isInTimeForCall({ calledAt: secondsAgo(29) }, now)).toBe(false)
  expect(isInTimeForCall({ calledAt: null }, now)).toBe(false)
})

test('a request that could not find out the outcome no longer runs it', () => {
  const called = { status: 'pending', calledAt: secondsAgo(5) } as const
  expect(isRunning({ ...called, nextCheckAt: secondsAgo(-40) }, now)).toBe(true)
  expect(isRunning({ ...called, nextCheckAt: secondsAgo(1) }, now)).toBe(false)
  expect(isRunning({ ...called, status: 'requires_action', nextCheckAt: secondsAgo(-40) }, now)).toBe(false)
})

test('what waits for the customer is checked every minute, anything else less and less often, without end', () => {
  expect([pauseOf('requires_action', 60), pauseOf('requires_action', 1500)]).toEqual([50, 50])
  expect([pauseOf('pending', 60), pauseOf('pending', 600), pauseOf('pending', 30 * 86_400)]).toEqual([50, 300, 21_600])
})
