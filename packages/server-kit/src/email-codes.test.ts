import { expect, test } from 'vitest'
import { codeLimits, hashOfCode, isCode, isCodeUsable, newCode, secondsToNextCode } from './email-codes.ts'

test('a code is six digits, and only it matches its hash', async () => {
  const codes = Array.from({ length: 200 }, newCode)
  expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([])
  const stored = await hashOfCode('012345')
  expect(stored).not.toContain('012345')
  expect([await isCode('012345', stored), await isCode('12345', stored), await isCode('012346', stored)]).toEqual([
    ...[true, false, false],
  ])
  expect(await hashOfCode('012345')).not.toBe(stored)
  expect(await isCode('', '')).toBe(false)
})

test('a code is usable for ten minutes and five guesses, and another one is sent after 30 seconds', () => {
  const now = new Date('2026-06-01T09:30:00Z')
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  const expiresAt = later(codeLimits.lifeMs)
  expect(isCodeUsable({ triesLeft: 1, expiresAt }, later(599_999))).toBe(true)
  expect(isCodeUsable({ triesLeft: 1, expiresAt }, later(600_000))).toBe(false)
  expect(isCodeUsable({ triesLeft: 0, expiresAt }, now)).toBe(false)
  expect([0, 1, 29_001, 30_000].map((passed) => secondsToNextCode(now, later(passed)))).toEqual([30, 30, 1, 0])
  expect(secondsToNextCode(undefined, now)).toBe(0)
})
