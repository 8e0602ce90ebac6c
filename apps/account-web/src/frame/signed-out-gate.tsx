import { useEffect } from 'react'
import { refuseCalls, useIsSignedOut } from '../api/signed-out.ts'
import { loadableDialog } from '../page/loadable-dialog.tsx'

const { Dialog: SignedOutDialog, preload } = loadableDialog(
  async () => (await import('./signed-out-dialog.tsx')).SignedOutDialog,
)

/** After the content has loaded. */
const preloadAfterMs = 5000

/** Asks a person whose session has ended to sign in again. */
export function SignedOutGate() {
  const isSignedOut = useIsSignedOut()
  useEffect(() => {
    // Preloaded: after the session has ended, the server may have a newer version of the page.
    const timer = setTimeout(preload, preloadAfterMs)
    return () => clearTimeout(timer)
  }, [])

  return isSignedOut && <SignedOutDialog onClose={refuseCalls} />
}
