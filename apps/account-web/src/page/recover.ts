import { CallProblem } from '@atrium/ui/call-problem.ts'

/** A call can be made again; code that did not load, or broke, needs the page anew. */
export function recover(problem: unknown, retry: () => void): void {
  if (problem instanceof CallProblem) retry()
  else location.reload()
}
