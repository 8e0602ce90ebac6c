import { expect, test } from 'vitest'
import { isRunning } from './security.rules.ts'

const now = new Date('2026-11-20T12:00:00Z')
const seconds = now.getTime() / 1000

test('access runs until its end, exclusive', () => {
  expect(isRunning(seconds + 1, now)).toBe(true)
  expect(isRunning(seconds, now)).toBe(false)
  expect(isRunning(seconds - 1, now)).toBe(false)
})

test('no grant does not run', () => {
  expect(isRunning(0, now)).toBe(false)
})
