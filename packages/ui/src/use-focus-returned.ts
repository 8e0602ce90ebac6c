import { useEffect, useState } from 'react'

/** When this component goes away, the focus goes back to where it was when it came. */
export function useFocusReturned(): void {
  // Read while rendering: in an effect the dialog has taken the focus already.
  const [opener] = useState(() => document.activeElement)

  useEffect(
    () => () => {
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}
