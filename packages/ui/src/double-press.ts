import { useLayoutEffect } from 'react'

/** Where and when a pointer pressed something, in pixels and milliseconds since the page began. */
export interface Press {
  x: number
  y: number
  at: number
}

/** Within these milliseconds nobody has read what came there after the first press. */
const tooSoonMs = 600
const samePlacePixels = 24

/** Whether a press is the second one of a double click, and was for what the dialog that was shown meanwhile has replaced. */
export function isMeantForLast(press: Press, last: Press, shownAt: number): boolean {
  const isSecond = press.at - last.at < tooSoonMs && Math.hypot(press.x - last.x, press.y - last.y) < samePlacePixels
  return isSecond && shownAt >= last.at
}

let last: Press = { x: 0, y: 0, at: Number.NEGATIVE_INFINITY }
let shownAt = 0

/** A dialog that follows another is not closed, nor anything in it pressed, by a double click on a button of the first. */
export function useDoublePressGuard(): void {
  useLayoutEffect(() => {
    shownAt = performance.now()
    // Added again, it stays one.
    addEventListener('click', guard, { capture: true })
  }, [])
}

function guard(event: MouseEvent) {
  const isOfKeyboard = event.detail === 0
  if (isOfKeyboard) return
  const press = { x: event.clientX, y: event.clientY, at: event.timeStamp }
  if (isMeantForLast(press, last, shownAt)) {
    event.preventDefault()
    event.stopPropagation()
  } else last = press
}
