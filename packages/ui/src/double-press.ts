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

/** Whether a press is the second one of a double click, and was for what a dialog has covered meanwhile. */
export function isMeantForLast(press: Press, last: Press, shownAt: number): boolean {
  const isSecond = press.at - last.at < tooSoonMs && Math.hypot(press.x - last.x, press.y - last.y) < samePlacePixels
  return isSecond && shownAt >= last.at
}

let last: Press = { x: 0, y: 0, at: Number.NEGATIVE_INFINITY }
let shownAt = 0

/** From the start of a page on, so that the press that opens its first dialog is known. */
export function watchPresses(): void {
  addEventListener('click', guard, { capture: true })
}

/** In what covers the page: the second press of a double click on what opened it presses nothing in it, and does not close it. */
export function useDoublePressGuard(): void {
  useLayoutEffect(noteShown, [])
}

/** Something covers the page now. */
export function noteShown(): void {
  shownAt = performance.now()
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
