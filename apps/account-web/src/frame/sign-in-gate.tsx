import { useEffect } from 'react'
import { refuseCalls, useSignInReason } from '../api/signed-out.ts'
import { loadableDialog } from '../page/loadable-dialog.tsx'

const { Dialog: SignInDialog, preload } = loadableDialog(
  async () => (await import('./sign-in-dialog.tsx')).SignInDialog,
)

/** After the content has loaded. */
const preloadAfterMs = 5000

/** Asks a person to sign in again whose session has ended, or who must enter their credentials for what they do. */
export function SignInGate() {
  const reason = useSignInReason()
  useEffect(() => {
    // Preloaded: after the session has ended, the server may have a newer version of the page.
    const timer = setTimeout(preload, preloadAfterMs)
    return () => clearTimeout(timer)
  }, [])

  return reason && <SignInDialog reason={reason} onClose={refuseCalls} />
}
