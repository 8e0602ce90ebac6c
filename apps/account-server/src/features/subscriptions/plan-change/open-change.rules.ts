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
