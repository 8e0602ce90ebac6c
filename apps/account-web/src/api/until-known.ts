import { CallProblem } from '@atrium/ui/call-problem.ts'

/** Milliseconds between two tries. */
const everyMs = 3000

/** The server finds out within two minutes what became of a payment. */
const mostTries = 40

/** Whether it may have taken effect: the answer was lost on its way, or the provider's to the server. */
function isUnknown(problem: unknown): boolean {
  if (!(problem instanceof CallProblem)) return false
  return problem.code === 'offline' || problem.code === 'payment_outcome_unknown' || problem.code === 'overloaded'
}

/** Of a mutation whose request has an idempotency key: the same is sent again until its outcome is known. */
export const untilKnown = {
  retry: (failures: number, problem: Error) => failures < mostTries && isUnknown(problem),
  retryDelay: everyMs,
}
