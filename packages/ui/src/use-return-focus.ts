import { useEffect, useState } from 'react'

/** Where the focus was before the first of several dialogs that follow each other. */
let outside: Element | null = null

/** On unmount, returns the focus to where it was on mount. */
export function useReturnFocus(): void {
  // Read during render: in an effect the dialog already has the focus.
  const [opener] = useState(() => {
    const focused = document.activeElement
    if (focused !== document.body && focused?.closest('[role=dialog]') === null) outside = focused
    return focused
  })

  useEffect(() => () => returnLostFocus(opener), [opener])
}

/**
 * If the focus was lost with an unmounted element, returns it to the opener; if that is gone too, to the open dialog, else to
 * where it was before the dialogs, else to the view's title.
 */
export function returnLostFocus(opener: Element | null): void {
  setTimeout(() => {
    const dialog = lastDialog()
    const before = outside
    if (!dialog) outside = null
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (!isLost) return
    const place = [opener, dialog, before, document.querySelector('h1')].find(isThere)
    place?.focus({ preventScroll: true })
  })
}

function lastDialog(): Element | undefined {
  return [...document.querySelectorAll('[role=dialog]')].at(-1)
}

function isThere(place: Element | null | undefined): place is HTMLElement {
  return place instanceof HTMLElement && place !== document.body && place.isConnected
}
