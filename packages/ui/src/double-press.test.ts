import { afterEach, expect, test, vi } from 'vitest'
import { isMeantForLast, noteCover, type Press, watchPresses } from './double-press.ts'

const first: Press = { x: 700, y: 340, at: 1000 }
const second = (values: Partial<Press> = {}): Press => ({ ...first, at: 1300, ...values })

afterEach(() => {
  vi.unstubAllGlobals()
})

test('the second press of a double click is not for a dialog that was shown after the first', () => {
  expect(isMeantForLast(second(), first, 1150)).toBe(true)
  // The second tap of a finger is beside the first.
  expect(isMeantForLast(second({ x: 760, y: 400, at: 1700 }), first, 1150)).toBe(true)
  // On a slow line the dialog itself comes late.
  expect(isMeantForLast(second({ at: 2437 }), first, 2375)).toBe(true)
})

test('a press anywhere is not for a dialog that nobody can have seen yet', () => {
  expect(isMeantForLast(second({ y: 660, at: 1440 }), first, 1150)).toBe(true)
})

test('a press elsewhere, a later one, and one in a dialog that was there before, are for what they press', () => {
  expect(isMeantForLast(second({ y: 440, at: 1460 }), first, 1150)).toBe(false)
  expect(isMeantForLast(second({ at: 1800 }), first, 1150)).toBe(false)
  expect(isMeantForLast(second(), first, 500)).toBe(false)
})

test('the page’s first dialog is not pressed by the click that opened it; the keyboard presses what it wants', () => {
  let press: (event: unknown) => void = () => undefined
  vi.stubGlobal('addEventListener', (_type: string, listener: typeof press) => {
    press = listener
  })
  const stopped: number[] = []
  const clickAt = (timeStamp: number, detail = 1, pointerType = 'touch') =>
    press({
      ...{ timeStamp, detail, pointerType, clientX: 700, clientY: 340, preventDefault: () => undefined },
      stopPropagation: () => stopped.push(timeStamp),
    })
  watchPresses()
  clickAt(1000)
  vi.stubGlobal('performance', { now: () => 1150 })
  const uncover = noteCover()
  clickAt(1200, 0)
  clickAt(1300)
  clickAt(1310, 2, 'mouse')
  clickAt(1320, 1, 'mouse')
  clickAt(1980)
  expect(stopped).toEqual([1300, 1310])

  // What was covered can be pressed again as soon as it is not.
  vi.stubGlobal('performance', { now: () => 2000 })
  uncover()
  clickAt(2050)
  expect(stopped).toEqual([1300, 1310])
})
