import { useLayoutEffect } from 'react'

/** Where and when a pointer pressed something, in pixels and milliseconds since the page began. */
export interface Press {
  x: number
  y: number
  at: number
}

/** A press this soon after a dialog appeared was aimed before anyone could see the dialog. */
const unseenMs = 300
/** A press in the same place this soon after a dialog appeared was made before anyone could read it. */
const unreadMs = 600
/** How far apart Android lets the two taps of a double tap be (`ViewConfiguration`, DOUBLE_TAP_SLOP). */
const samePlacePixels = 100

/** Whether a press was aimed at what a dialog has covered since the last press: before anyone could see it or, in the same place, read it. */
export function isMeantForLast(press: Press, last: Press, shownAt: number): boolean {
  const shownFor = press.at - shownAt
  const isThere = Math.hypot(press.x - last.x, press.y - last.y) < samePlacePixels
  return shownAt >= last.at && (shownFor < unseenMs || (isThere && shownFor < unreadMs))
}

let last: Press = { x: 0, y: 0, at: Number.NEGATIVE_INFINITY }
let shownAt = 0
let covers = 0

/** From the start of a page on, so that the press that opens its first dialog is known. */
export function watchPresses(): void {
  addEventListener('click', guard, { capture: true })
}

/** In what covers the page: the second press of a double click on what opened it presses nothing in it, and does not close it. */
export function useDoublePressGuard(): void {
  useLayoutEffect(noteCover, [])
}

/** Something covers the page from now on. @returns to be called when it is gone */
export function noteCover(): () => void {
  shownAt = performance.now()
  covers += 1
  return () => {
    covers -= 1
  }
}

/** A mouse says itself which click of several it is, 0 being one of the keyboard; a finger does so in some browsers only. */
function guard(event: MouseEvent) {
  const { detail: count, clientX: x, clientY: y, timeStamp: at } = event
  if (count === 0) return
  const press = { x, y, at }
  const isOfMouse = 'pointerType' in event && event.pointerType === 'mouse'
  const mayBeSecond = count > 1 || !isOfMouse
  if (covers > 0 && mayBeSecond && isMeantForLast(press, last, shownAt)) {
    event.preventDefault()
    event.stopPropagation()
  } else last = press
}
