import { expect, test } from 'vitest'
import { isFresh, nextLook } from './attempts.rules.ts'

const now = new Date('2026-06-01T12:00:00Z')
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000)
const lookAfter = (status: 'open' | 'requires_action', seconds: number) =>
  (nextLook({ status, createdAt: secondsAgo(seconds) }, now).getTime() - now.getTime()) / 1000

test('for 45 seconds somebody may be at an attempt', () => {
  expect(isFresh({ createdAt: secondsAgo(45) }, now)).toBe(true)
  expect(isFresh({ createdAt: secondsAgo(46) }, now)).toBe(false)
})

test('a bank’s question is looked at every minute; what does not want to end ever more rarely, and never given up', () => {
  expect([lookAfter('requires_action', 60), lookAfter('requires_action', 1500)]).toEqual([50, 50])
  expect([lookAfter('open', 60), lookAfter('open', 600), lookAfter('open', 30 * 86_400)]).toEqual([50, 300, 21_600])
})
