import { CallProblem } from '@atrium/ui/call-problem.ts'
import { type FetchQueryOptions, notifyManager, QueryClient, type QueryKey } from '@tanstack/react-query'

/** What may well work a moment later. Everything else is shown at once, with a button to try again. */
const passing = ['offline', 'overloaded']

export function newQueryClient(): QueryClient {
  // A button is busy before the second press of a double one: by a timer, as is usual, it would come too late.
  notifyManager.setScheduler(queueMicrotask)
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // Fails when offline, in place, rather than waiting in silence.
        networkMode: 'always',
        // Not by itself in that mode: what failed offline is asked for again.
        refetchOnReconnect: true,
        retry: (failures, problem) => failures < 1 && problem instanceof CallProblem && passing.includes(problem.code),
        retryDelay: 600,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/**
 * Asks for data before they are needed. What has failed is left to its own "Try again": the focus that comes back to a
 * menu when a dialog closes is no wish to load, and would open "You were signed out" anew. Never rejects.
 */
export async function prefetch<Data, Key extends QueryKey>(
  queryClient: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<void> {
  if (queryClient.getQueryState(query.queryKey)?.status !== 'error') await queryClient.prefetchQuery(query)
}
