import type { OperationRow } from '../../payments/operations/operations.tables.ts'

type Waiting = Pick<OperationRow, 'givesUpAt'>

/** Whether the customer's time to pay has run out. */
export function isTimeUp({ givesUpAt }: Waiting, now: Date): boolean {
  return givesUpAt !== null && givesUpAt <= now
}

/** Why a change that waited is not made: its time ran out, or the customer dropped it. Nothing was charged, and no card declined. */
export function givenUpProblem(waiting: Waiting, now: Date): 'change_expired' | 'change_dropped' {
  return isTimeUp(waiting, now) ? 'change_expired' : 'change_dropped'
}

/** Milliseconds. */
const margin = 10 * 60_000

/**
 * When a change that waits is given up: some minutes before the provider drops it, which may be the moment of a renewal. The card that was
 * to pay for the change alone must not be the one that pays the renewal.
 */
export function lastMoment(expiresAt: Date, now: Date): Date {
  const left = Math.max(0, expiresAt.getTime() - now.getTime())
  return new Date(expiresAt.getTime() - Math.min(margin, left / 2))
}
