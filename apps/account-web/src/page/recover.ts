import { CallProblem } from '@atrium/ui/call-problem.ts'

/** Retries a failed call; code that failed to load or crashed needs a reload of the page. */
export function recover(problem: unknown, retry: () => void): void {
  if (problem instanceof CallProblem) retry()
  else location.reload()
}
