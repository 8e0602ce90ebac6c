import type { OperationRow } from './operations.tables.ts'

/**
 * Milliseconds. Longer than the request that made an operation can take for it (its calls have at most 14.5 s each): what the
 * provider does not know by then was never taken.
 */
export const requestMs = 45_000

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
