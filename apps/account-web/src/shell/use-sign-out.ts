import { signOut } from '@atrium/contract/session.ts'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { call } from '../api/call.ts'
import { leave } from '../api/signed-out.ts'

/** Ends the session here and at the single sign-on, and leaves the page. */
export function useSignOut(): () => Promise<void> {
  const problemText = useProblemText()
  return async () => {
    const stay = leave()
    try {
      const { redirectUrl } = await call(signOut)
      location.assign(redirectUrl)
    } catch (problem) {
      stay()
      showFailure(problemText(problem))
    }
  }
}
