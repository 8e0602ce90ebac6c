import { lazy, Suspense, useEffect } from 'react'
import { useIsSignedOut } from '../api/signed-out.ts'

const load = () => import('./signed-out-dialog.tsx')
const SignedOutDialog = lazy(async () => ({ default: (await load()).SignedOutDialog }))

/** Milliseconds: after everything that the visitor came for. */
const patience = 5000

/** Asks who was signed out in the middle of work to sign in again. */
export function SignedOutGate() {
  const isSignedOut = useIsSignedOut()
  useEffect(() => {
    // Here before it is needed: once signed out, a newer page may stand on the server.
    const timer = setTimeout(() => load().catch(() => undefined), patience)
    return () => clearTimeout(timer)
  }, [])

  if (!isSignedOut) return null
  return (
    <Suspense fallback={null}>
      <SignedOutDialog />
    </Suspense>
  )
}
