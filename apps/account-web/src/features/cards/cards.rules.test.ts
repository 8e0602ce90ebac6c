import { expect, test } from 'vitest'
import { stepsAfterDecline, timeToExpiry } from './cards.rules.ts'

test.each([
  ['2026-09-21T00:00:00Z', undefined],
  ['2026-09-23T00:00:00Z', { value: 9, unit: 'week' }],
  ['2026-11-01T00:00:00Z', { value: 4, unit: 'week' }],
  ['2026-11-17T00:00:00Z', { value: 2, unit: 'week' }],
  ['2026-11-18T00:00:00Z', { value: 13, unit: 'day' }],
  ['2026-11-30T23:00:00Z', { value: 1, unit: 'day' }],
  ['2026-12-01T00:00:00Z', undefined],
])('on %s a card of 11/2026 expires in %j', (now, left) => {
  expect(timeToExpiry({ expMonth: 11, expYear: 2026 }, new Date(now))).toEqual(left)
})

test.each([
  ['unknown', false, ['retry']],
  ['insufficient_funds', true, ['default', 'retry']],
  ['authentication_failed', true, ['default']],
  ['processing_error', false, []],
  ['expired_card', false, []],
] as const)('after %s, with another card on file: %s, the next steps are %j', (reason, hasOther, steps) => {
  expect(stepsAfterDecline(reason, hasOther)).toEqual(steps)
})
