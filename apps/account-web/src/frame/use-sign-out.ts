import { signOut } from '@atrium/contract/session.ts'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { useEffect, useRef } from 'react'
import { call } from '../api/call.ts'
import { openSignOutChannel } from '../api/sign-out-channel.ts'
import { leave } from '../api/signed-out.ts'

/** Ends the session here and at the single sign-on, and leaves the page, as do the browser's other tabs. */
export function useSignOut(): () => Promise<void> {
  const problemText = useProblemText()
  const publishSignOut = useOtherTabs()
  return async () => {
    const stay = leave()
    try {
      const { redirectUrl } = await call(signOut, { body: {} })
      addEventListener('pagehide', publishSignOut, { once: true })
      location.assign(redirectUrl)
    } catch (problem) {
      stay()
      showFailure(problemText(problem))
    }
  }
}

/**
 * Reloads the page, which leads to the sign-in, after a sign-out in another tab. Returns a function that signs out the others.
 */
function useOtherTabs(): () => void {
  const channel = useRef<ReturnType<typeof openSignOutChannel>>(undefined)

  useEffect(() => {
    const opened = openSignOutChannel(() => location.reload())
    channel.current = opened
    return () => opened.close()
  }, [])

  return () => channel.current?.publish()
}
