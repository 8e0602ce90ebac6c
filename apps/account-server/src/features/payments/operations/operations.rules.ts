import type { OperationRow } from './operations.tables.ts'

/** Milliseconds between inserting the row and the call, unless the process was suspended in between. */
const callWithinMs = 10_000

/**
 * Milliseconds. Longer than a request can take from inserting the row to the provider's answer: it starts within 10 s, and a
 * definition's `call` calls the provider at most twice, 15 s each, or asks `isInTimeForCall` before each further call; the clocks of two
 * servers may differ by 2 s. What the provider does not know by then never reached it.
 */
export const requestMs = 45_000

/** Whether the reconciler may already have ended the operation as never received. */
export function isTooLateToCall({ calledAt }: Pick<OperationRow, 'calledAt'>, now: Date): boolean {
  return calledAt === null || now.getTime() - calledAt.getTime() > callWithinMs
}

/** Whether a request may still be running it. */
export function isFresh({ calledAt }: Pick<OperationRow, 'calledAt'>, now: Date): boolean {
  return calledAt !== null && now.getTime() - calledAt.getTime() <= requestMs
}

/** Milliseconds of one more call, with the difference of two clocks. */
const oneCallMs = 17_000

/** Whether a definition that calls the provider several times may begin another one: it ends before `isFresh` does. */
export function isInTimeForCall({ calledAt }: Pick<OperationRow, 'calledAt'>, now: Date): boolean {
  return calledAt !== null && now.getTime() - calledAt.getTime() <= requestMs - oneCallMs
}

/** Whether a request most likely runs it right now; one that could not find out the outcome made it due for the reconciler. */
export function isRunning(row: Pick<OperationRow, 'status' | 'calledAt' | 'nextCheckAt'>, now: Date): boolean {
  return row.status === 'pending' && isFresh(row, now) && row.nextCheckAt > now
}

const longestPauseMs = 6 * 3_600_000

/** The next check: every minute while it waits for the customer, otherwise less and less often. */
export function nextCheckAt({ status, createdAt }: Pick<OperationRow, 'status' | 'createdAt'>, now: Date): Date {
  const age = now.getTime() - createdAt.getTime()
  const pause = status === 'requires_action' ? 50_000 : Math.min(longestPauseMs, Math.max(50_000, age / 2))
  return new Date(now.getTime() + pause)
}

/** Whether it has ended. A failed one may still turn into succeeded, if the provider says so. */
export function isResolved({ resolvedAt }: Pick<OperationRow, 'resolvedAt'>): boolean {
  return resolvedAt !== null
}

type Stored = Pick<OperationRow, 'id' | 'createdAt'>

/** The order in which operations that exclude each other run; a total order, so that no two wait for each other. */
export function isBefore(one: Stored, other: Stored): boolean {
  const later = other.createdAt.getTime() - one.createdAt.getTime()
  return later > 0 || (later === 0 && one.id < other.id)
}
