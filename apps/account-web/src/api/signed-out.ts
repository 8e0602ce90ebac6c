import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useSyncExternalStore } from 'react'

/**
 * Calls that found the session ended wait here on one promise while a dialog asks the person to sign in again. No input is
 * lost: a form's call is just pending.
 */
interface Waiting {
  promise: Promise<void>
  resolve(): void
  reject(reason: CallProblem): void
}

let waiting: Waiting | undefined
let isLeaving = false
const listeners = new Set<() => void>()

/** Resolves when the same person is signed in again; rejects with `signed_out` if they decline. */
export function signedInAgain(): Promise<void> {
  // The page is unloading: waiting calls neither resolve nor reject.
  if (isLeaving) return new Promise(() => undefined)
  waiting ??= newWaiting()
  notify()
  return waiting.promise
}

/** Repeats every waiting call after signing in. */
export function resumeCalls(): void {
  waiting?.resolve()
  waiting = undefined
  notify()
}

/** Rejects every waiting call after the dialog was closed; input stays. */
export function refuseCalls(): void {
  waiting?.reject(new CallProblem('signed_out', { status: 401 }))
  waiting = undefined
  notify()
}

/** Stops asking to sign in again, since the page is signing out. Returns a function that undoes it. */
export function leave(): () => void {
  isLeaving = true
  return () => {
    isLeaving = false
  }
}

/** Whether a call failed because the person declined to sign in again. */
export function isSignedOut(problem: unknown): boolean {
  return problem instanceof CallProblem && problem.code === 'signed_out'
}

/** Whether the person must sign in before the page can continue. */
export function useIsSignedOut(): boolean {
  return useSyncExternalStore(subscribe, () => waiting !== undefined)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

function notify() {
  for (const listener of listeners) listener()
}

function newWaiting(): Waiting {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { promise, resolve, reject }
}
