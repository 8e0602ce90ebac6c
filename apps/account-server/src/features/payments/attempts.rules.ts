import type { Attempt } from './payments.tables.ts'

/**
 * Longer than the request that made an attempt is at it (three calls of the provider, each of at most 14.5 s): what the
 * provider does not know by then was never taken.
 */
export const leftAloneMilliseconds = 45_000

/** Somebody may still be at it. */
export function isFresh({ createdAt }: Pick<Attempt, 'createdAt'>, now: Date): boolean {
  return now.getTime() - createdAt.getTime() <= leftAloneMilliseconds
}

const longestPause = 6 * 3_600_000

/** When the reconciler looks again: at a bank's question every minute, at what does not want to end ever more rarely. */
export function nextLook({ status, createdAt }: Pick<Attempt, 'status' | 'createdAt'>, now: Date): Date {
  const age = now.getTime() - createdAt.getTime()
  const pause = status === 'requires_action' ? 50_000 : Math.min(longestPause, Math.max(50_000, age / 2))
  return new Date(now.getTime() + pause)
}
