import { useEffect } from 'react'
import { refuseCalls, useIsSignedOut } from '../api/signed-out.ts'
import { loadableDialog } from '../page/loadable-dialog.tsx'

const { Dialog: SignedOutDialog, preload } = loadableDialog(
  async () => (await import('./signed-out-dialog.tsx')).SignedOutDialog,
)

/** After everything that the visitor came for. */
const preloadAfterMs = 5000

/** Asks who was signed out in the middle of work to sign in again. */
export function SignedOutGate() {
  const isSignedOut = useIsSignedOut()
  useEffect(() => {
    // Here before it is needed: once signed out, a newer page may stand on the server.
    const timer = setTimeout(preload, preloadAfterMs)
    return () => clearTimeout(timer)
  }, [])

  return isSignedOut && <SignedOutDialog onClose={refuseCalls} />
}
