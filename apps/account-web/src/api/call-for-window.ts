import { showSuccess } from '@atrium/ui/success.ts'
import { useTranslation } from 'react-i18next'
import { answersUntilNow, signedInAgain, signInReason } from './signed-out.ts'

interface ForWindow<Reply> {
  /** Open already, and empty. */
  window: Pick<Window, 'close'>
  /** Sends the call (`callOnce`). */
  send(): Promise<Reply>
  /** Says that the person must press the button again. */
  askAgain(): void
}

/**
 * Runs a call for a window. If the session has ended, or the sign-in is too old for the call, the window closes and the person is asked to sign in: an empty tab in front would
 * hide the question.
 * @returns `undefined` after signing in, since only another click may open a window
 * @throws CallProblem
 */
export async function callForWindow<Reply>({ window, send, askAgain }: ForWindow<Reply>): Promise<Reply | undefined> {
  const answersBefore = answersUntilNow()
  try {
    return await send()
  } catch (problem) {
    const reason = signInReason(problem)
    if (!reason) throw problem
    window.close()
    await signedInAgain(reason, answersBefore)
    askAgain()
    return undefined
  }
}

/** Long enough for somebody who looks at the window that has just closed. */
const readingMs = 10_000

/** Tells a person who signed in again to press the button once more, because only a click may open a window. */
export function useAskAgain(button: string): () => void {
  const { t } = useTranslation('frame')
  return () => showSuccess(t('signedOut.again', { button }), readingMs)
}
