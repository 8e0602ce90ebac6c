import { CallProblem } from '@atrium/ui/call-problem.ts'
import {
  type FetchQueryOptions,
  type InferDataFromTag,
  MutationCache,
  notifyManager,
  QueryClient,
  type QueryKey,
  type Updater,
} from '@tanstack/react-query'

/** Temporary failures. All others are shown immediately, with a retry button. */
const passing = ['offline', 'overloaded']

/** Under which the pages of the activity, and the prompts about renewals, are cached. */
export const activityKey = ['activity']
export const renewalsKey = ['renewals']

export function newQueryClient(): QueryClient {
  // The default timer would disable a button too late for a double click.
  notifyManager.setScheduler(queueMicrotask)
  const queryClient = new QueryClient({
    // Each change is in the activity, and may be what a prompt asked for. Not awaited: what was done need not wait for them.
    mutationCache: new MutationCache({
      onSuccess() {
        queryClient.invalidateQueries({ queryKey: activityKey })
        queryClient.invalidateQueries({ queryKey: renewalsKey })
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // Fails immediately when offline instead of waiting.
        networkMode: 'always',
        // Off by default in that mode: what failed offline is loaded again.
        refetchOnReconnect: true,
        retry: (failures, problem) => failures < 1 && problem instanceof CallProblem && passing.includes(problem.code),
        retryDelay: 600,
      },
      mutations: { networkMode: 'always' },
    },
  })
  return queryClient
}

/**
 * Loads data before they are needed. Failed queries are skipped and left to their retry button: focus that returns to a menu
 * from a dialog must not reload, and reopen "You’ve been signed out". Never rejects.
 */
export async function prefetch<Data, Key extends QueryKey>(
  queryClient: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<void> {
  if (queryClient.getQueryState(query.queryKey)?.status !== 'error') await queryClient.prefetchQuery(query)
}

/** Stores what a change answered. What was requested before it, and has not come yet, would bring back the state before. */
export async function storeReply<Key extends QueryKey>(
  queryClient: QueryClient,
  queryKey: Key,
  reply: Updater<Known<Key>, Known<Key>>,
): Promise<void> {
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, reply)
}

type Known<Key extends QueryKey> = NoInfer<InferDataFromTag<unknown, Key>> | undefined

/** After signing in again: what failed meanwhile is loaded again, such as a poll that had stopped. */
export function refetchFailed(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
}
