import { CallProblem } from '@atrium/ui/call-problem.ts'
import { QueryClient } from '@tanstack/react-query'

/** What may well work a moment later. Everything else is shown at once, with a button to try again. */
const passing = ['offline', 'overloaded']

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // Fails when offline, in place, rather than waiting in silence.
        networkMode: 'always',
        retry: (failures, problem) => failures < 1 && problem instanceof CallProblem && passing.includes(problem.code),
        retryDelay: 600,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
