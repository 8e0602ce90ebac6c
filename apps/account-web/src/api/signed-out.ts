import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useSyncExternalStore } from 'react'

/**
 * Calls that found the visitor signed out wait here, all of them on one promise, while a dialog asks to sign in again.
 * Nothing typed is lost: a form's call is simply not finished yet.
 */
interface Waiting {
  promise: Promise<void>
  resolve(): void
  reject(reason: CallProblem): void
}

let waiting: Waiting | undefined
let isLeaving = false
const listeners = new Set<() => void>()

/** Resolves when the same person is signed in again; refused with `signed_out` when they would rather not. */
export function signedInAgain(): Promise<void> {
  // The page is going away: nothing is asked, and nothing fails.
  if (isLeaving) return new Promise(() => undefined)
  waiting ??= newWaiting()
  tell()
  return waiting.promise
}

/** The person is back: every waiting call goes on. */
export function resumeCalls(): void {
  waiting?.resolve()
  waiting = undefined
  tell()
}

/** The person closed the dialog: every waiting call fails, and what they typed stays where it is. */
export function refuseCalls(): void {
  waiting?.reject(new CallProblem('signed_out', { status: 401 }))
  waiting = undefined
  tell()
}

/** From now on, being signed out is on purpose. Returns how to take that back. */
export function leave(): () => void {
  isLeaving = true
  return () => {
    isLeaving = false
  }
}

/** Whether a call failed because nobody is signed in, and its sender would rather not. */
export function isSignedOut(problem: unknown): boolean {
  return problem instanceof CallProblem && problem.code === 'signed_out'
}

/** Whether somebody must sign in before the page can go on. */
export function useIsSignedOut(): boolean {
  return useSyncExternalStore(subscribe, () => waiting !== undefined)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

function tell() {
  for (const listener of listeners) listener()
}

function newWaiting(): Waiting {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { promise, resolve, reject }
}
