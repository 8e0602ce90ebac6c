import type { OperationRow } from './operations.tables.ts'

/** Milliseconds from the row to its call, which comes right after it unless the process is stopped in between. */
const callWithinMs = 15_000

/**
 * Milliseconds. Longer than a request can take from an operation's row to the provider's answer: it starts within 15 s, and
 * a definition's `call` asks the provider at most twice, 14.5 s each. What the provider does not know by then was never taken.
 */
export const requestMs = 45_000

/** Whether a call would come after the reconciler may have ended the operation as never taken. */
export function isTooLateToCall({ calledAt }: Pick<OperationRow, 'calledAt'>, now: Date): boolean {
  return calledAt === null || now.getTime() - calledAt.getTime() > callWithinMs
}

/** Whether a request may still be running it. */
export function isFresh({ calledAt }: Pick<OperationRow, 'calledAt'>, now: Date): boolean {
  return calledAt !== null && now.getTime() - calledAt.getTime() <= requestMs
}

/** Whether a request most likely runs it right now: one that gave up finding out has left it to the reconciler. */
export function isRunning(row: Pick<OperationRow, 'status' | 'calledAt' | 'nextCheckAt'>, now: Date): boolean {
  return row.status === 'pending' && isFresh(row, now) && row.nextCheckAt > now
}

const longestPauseMs = 6 * 3_600_000

/** When it is checked again: what waits for the customer every minute, what does not want to end ever more rarely. */
export function nextCheckAt({ status, createdAt }: Pick<OperationRow, 'status' | 'createdAt'>, now: Date): Date {
  const age = now.getTime() - createdAt.getTime()
  const pause = status === 'requires_action' ? 50_000 : Math.min(longestPauseMs, Math.max(50_000, age / 2))
  return new Date(now.getTime() + pause)
}

/** Whether it has ended. A failed one has succeeded after all, if the provider says so. */
export function isResolved({ resolvedAt }: Pick<OperationRow, 'resolvedAt'>): boolean {
  return resolvedAt !== null
}

type Stored = Pick<OperationRow, 'id' | 'createdAt'>

/** The order in which operations that exclude each other run; one order for all, so that no two wait for each other. */
export function isBefore(one: Stored, other: Stored): boolean {
  const later = other.createdAt.getTime() - one.createdAt.getTime()
  return later > 0 || (later === 0 && one.id < other.id)
}
