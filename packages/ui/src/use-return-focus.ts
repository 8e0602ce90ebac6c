import { useEffect, useState } from 'react'

/** On unmount, returns the focus to where it was on mount. */
export function useReturnFocus(): void {
  // Read during render: in an effect the dialog already has the focus.
  const [opener] = useState(() => document.activeElement)

  useEffect(() => () => returnLostFocus(opener), [opener])
}

/**
 * If the focus was lost with an unmounted element, returns it to the opener; if that is gone too, to the open dialog, else to
 * the view's title.
 */
export function returnLostFocus(opener: Element | null): void {
  setTimeout(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (!isLost) return
    const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
    const place = isThere ? opener : nearestPlace()
    place?.focus({ preventScroll: true })
  })
}

function nearestPlace(): HTMLElement | null {
  return [...document.querySelectorAll<HTMLElement>('[role=dialog]')].at(-1) ?? document.querySelector('h1')
}
