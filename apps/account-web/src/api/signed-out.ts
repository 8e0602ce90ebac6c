import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useSyncExternalStore } from 'react'

/** Why the person must sign in: the session has ended, or what they do requires credentials that were entered just now. */
export type SignInReason = keyof typeof statuses

const statuses = { signed_out: 401, fresh_sign_in_required: 403 } as const

/**
 * Refused calls wait here on one promise while a dialog asks the person to sign in again. No input is lost: a form's call is just
 * pending.
 */
interface Waiting {
  /** Of all reasons the one that requires more. */
  reason: SignInReason
  /** Whether they signed in. */
  promise: Promise<boolean>
  resolve(isSignedIn: boolean): void
}

let waiting: Waiting | undefined
/** How often they answered, and how at last. */
let answers: { count: number; last?: { reason: SignInReason; isSignedIn: boolean } } = { count: 0 }
let isLeaving = false
const listeners = new Set<() => void>()

/** Whether a call succeeds once the person has signed in again, and why it does not now. */
export function signInReason(problem: unknown): SignInReason | undefined {
  if (!(problem instanceof CallProblem)) return undefined
  const { code } = problem
  return code === 'signed_out' || code === 'fresh_sign_in_required' ? code : undefined
}

/** How often the person has answered up to now: taken before a call is sent, for `signedInAgain`. */
export function answersUntilNow(): number {
  return answers.count
}

/**
 * Resolves when the same person is signed in again; rejects with the reason if they decline. What they answered while the call was
 * under way holds for it as well: nobody is asked twice because one call took longer than another.
 */
export async function signedInAgain(reason: SignInReason, answersBefore: number): Promise<void> {
  // The page is unloading: waiting calls neither resolve nor reject.
  if (isLeaving) return new Promise(() => undefined)
  if (!(answeredSince(answersBefore, reason) ?? (await asked(reason)))) {
    throw new CallProblem(reason, { status: statuses[reason] })
  }
}

/** Repeats every waiting call after signing in. */
export function resumeCalls(): void {
  answer(true)
}

/** Rejects every waiting call after the dialog was closed; input stays. */
export function refuseCalls(): void {
  answer(false)
}

function asked(reason: SignInReason): Promise<boolean> {
  waiting ??= newWaiting(reason)
  if (reason === 'fresh_sign_in_required') waiting.reason = reason
  notify()
  return waiting.promise
}

function answer(isSignedIn: boolean) {
  if (!waiting) return
  answers = { count: answers.count + 1, last: { reason: waiting.reason, isSignedIn } }
  waiting.resolve(isSignedIn)
  waiting = undefined
  notify()
}

/** Undefined: they have not been asked since, or for less than the reason requires. */
function answeredSince(answersBefore: number, reason: SignInReason): boolean | undefined {
  const { count, last } = answers
  if (count === answersBefore || !last) return undefined
  return reason === 'signed_out' || last.reason === reason ? last.isSignedIn : undefined
}

/** Stops asking to sign in again, since the page is signing out. Returns a function that undoes it. */
export function leave(): () => void {
  isLeaving = true
  return () => {
    isLeaving = false
  }
}

/** Whether a call failed because the session has ended, and the person declined to sign in again. */
export function isSignedOut(problem: unknown): boolean {
  return signInReason(problem) === 'signed_out'
}

/** Why the person must sign in before the page can continue; undefined: they need not. */
export function useSignInReason(): SignInReason | undefined {
  return useSyncExternalStore(subscribe, () => waiting?.reason)
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

function newWaiting(reason: SignInReason): Waiting {
  return { reason, ...Promise.withResolvers<boolean>() }
}
