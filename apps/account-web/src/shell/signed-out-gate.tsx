import { useEffect } from 'react'
import { refuseCalls, useIsSignedOut } from '../api/signed-out.ts'
import { loadableDialog } from './loadable-dialog.tsx'

const { Dialog: SignedOutDialog, approach } = loadableDialog(
  async () => (await import('./signed-out-dialog.tsx')).SignedOutDialog,
)

/** Milliseconds: after everything that the visitor came for. */
const patience = 5000

/** Asks who was signed out in the middle of work to sign in again. */
export function SignedOutGate() {
  const isSignedOut = useIsSignedOut()
  useEffect(() => {
    // Here before it is needed: once signed out, a newer page may stand on the server.
    const timer = setTimeout(approach, patience)
    return () => clearTimeout(timer)
  }, [])

  return isSignedOut && <SignedOutDialog onClose={refuseCalls} />
}
