import { useEffect, useState } from 'react'

/** When this component goes away, the focus goes back to where it was when it came. */
export function useFocusReturned(): void {
  // Read while rendering: in an effect the dialog has taken the focus already.
  const [opener] = useState(() => document.activeElement)

  useEffect(() => () => returnLostFocus(opener), [opener])
}

/**
 * Once what goes away is gone: the focus, if it was lost with it, goes to the opener; if that is gone too, to the dialog
 * that is open, else to the view's title.
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
