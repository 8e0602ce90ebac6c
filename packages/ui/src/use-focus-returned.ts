import { useEffect, useState } from 'react'

/** When this component goes away, the focus goes back to where it was when it came. */
export function useFocusReturned(): void {
  // Read while rendering: in an effect the dialog has taken the focus already.
  const [opener] = useState(() => document.activeElement)

  useEffect(
    () => () => {
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (!isLost) return
        // What opened it may be gone with what was done: then the view's title is the nearest place there is.
        const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
        const place = isThere ? opener : document.querySelector('h1')
        place?.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}
