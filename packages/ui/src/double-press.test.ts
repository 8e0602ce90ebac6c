import { expect, test } from 'vitest'
import { isMeantForLast, type Press } from './double-press.ts'

const first: Press = { x: 700, y: 340, at: 1000 }
const second = (values: Partial<Press> = {}): Press => ({ ...first, at: 1300, ...values })

test('the second press of a double click is not for a dialog that was shown after the first', () => {
  expect(isMeantForLast(second(), first, 1150)).toBe(true)
  expect(isMeantForLast(second({ x: 705, y: 330 }), first, 1150)).toBe(true)
})

test('a press elsewhere, a later one, and one in a dialog that was there before, are for what they press', () => {
  expect(isMeantForLast(second({ y: 420 }), first, 1150)).toBe(false)
  expect(isMeantForLast(second({ at: 1700 }), first, 1150)).toBe(false)
  expect(isMeantForLast(second(), first, 500)).toBe(false)
})
