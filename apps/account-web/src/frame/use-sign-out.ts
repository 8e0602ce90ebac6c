import { signOut } from '@atrium/contract/session.ts'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { useEffect, useRef } from 'react'
import { call } from '../api/call.ts'
import { openSignOutChannel } from '../api/sign-out-channel.ts'
import { leave } from '../api/signed-out.ts'

/** Ends the session here and at the single sign-on, and leaves the page; the browser's other tabs leave theirs. */
export function useSignOut(): () => Promise<void> {
  const problemText = useProblemText()
  const announce = useOtherTabs()
  return async () => {
    const stay = leave()
    try {
      const { redirectUrl } = await call(signOut)
      addEventListener('pagehide', announce, { once: true })
      location.assign(redirectUrl)
    } catch (problem) {
      stay()
      showFailure(problemText(problem))
    }
  }
}

/** Loads the page anew, which leads to the sign-in, when another tab signed out. Returns how to tell the others. */
function useOtherTabs(): () => void {
  const channel = useRef<ReturnType<typeof openSignOutChannel>>(undefined)

  useEffect(() => {
    const opened = openSignOutChannel(() => location.reload())
    channel.current = opened
    return () => opened.close()
  }, [])

  return () => channel.current?.announce()
}
