import { isSignedOut, signedInAgain } from './signed-out.ts'

/**
 * Runs a call (`callOnce`) for a window that is open already, and empty. If the session has ended, the window closes and the person is
 * asked to sign in: an empty tab in front would hide the question.
 * @returns `undefined` after signing in, since only another click may open a window
 * @throws CallProblem
 */
export async function callForWindow<Reply>(
  window: Pick<Window, 'close'>,
  send: () => Promise<Reply>,
): Promise<Reply | undefined> {
  try {
    return await send()
  } catch (problem) {
    if (!isSignedOut(problem)) throw problem
    window.close()
    await signedInAgain()
    return undefined
  }
}
