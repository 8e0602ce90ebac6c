import { endSupportSession, listSupportSessions, type SupportSessions } from '@atrium/contract/support-sessions.ts'
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, callOnce } from '../../api/call.ts'
import { activityKey, storeReply } from '../../api/query-client.ts'
import { isSignedOut } from '../../api/signed-out.ts'
import { usePage } from '../../page/page-data.ts'
import { isRunning } from './security.rules.ts'

/** While a grant runs and the page is visible, in milliseconds. */
const pollMs = 5000

const sessionsKey = ['support-sessions']

function idsOf(known: SupportSessions | undefined): string {
  return (known?.sessions ?? []).map(({ id }) => id).join()
}

/**
 * Who of support is in the account now. It fails in silence: a page that nobody uses must not ask to sign in again, and the next answer
 * comes soon.
 */
const supportSessionsQuery = queryOptions({
  queryKey: sessionsKey,
  async queryFn({ signal, client }) {
    const known = idsOf(client.getQueryData<SupportSessions>(sessionsKey))
    const found = await callOnce(listSupportSessions, {}, { signal })
    // Their start and end are in the activity.
    if (idsOf(found) !== known) void client.invalidateQueries({ queryKey: activityKey })
    return found
  },
  staleTime: pollMs,
  retry: false,
})

interface State {
  data: SupportSessions | undefined
  error: Error | null
}

function isPolled({ state }: { state: State }): boolean {
  return isRunning(state.data?.grantedUntil ?? 0) && !isSignedOut(state.error)
}

/** Polls while a grant runs. For the frame alone, so that no two timers ask. */
export function usePolledSupportSessions() {
  const { supportAccessUntil } = usePage()
  return useQuery({
    ...supportSessionsQuery,
    initialData: { grantedUntil: supportAccessUntil, sessions: [] },
    // Without a grant there is nothing to ask for.
    initialDataUpdatedAt: isRunning(supportAccessUntil) ? 0 : Date.now(),
    refetchInterval: (query) => (isPolled(query) ? pollMs : false),
    // Access that was granted in another tab is found this way; with a grant, the poll alone asks.
    refetchOnWindowFocus: (query) => !isPolled(query),
    refetchOnReconnect: false,
  }).data
}

/** What the frame's poll found last. */
export function useSupportSessions() {
  return useQuery({ ...supportSessionsQuery, enabled: false }).data?.sessions ?? []
}

/** @param onEnded of the hook, not of the call: the notice with the button is gone by then */
export function useEndSupportSession(onEnded: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(endSupportSession, { params: { id } }),
    async onSuccess(fresh) {
      await storeReply(queryClient, supportSessionsQuery.queryKey, fresh)
      onEnded()
    },
  })
}

/** After access was granted or withdrawn in this page: the poll begins, or ends with all support sessions. */
export function applyGrant(queryClient: QueryClient, grantedUntil: number): Promise<void> {
  return storeReply(queryClient, supportSessionsQuery.queryKey, (known) => ({
    grantedUntil,
    sessions: isRunning(grantedUntil) ? (known?.sessions ?? []) : [],
  }))
}
