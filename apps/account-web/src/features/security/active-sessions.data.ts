import { type ActiveSessions, endOtherSessions, endSession, listSessions } from '@atrium/contract/active-sessions.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { storeReply } from '../../api/query-client.ts'

/** Read again when the page is looked at: browsers come and go meanwhile. */
export const activeSessionsQuery = queryOptions({
  queryKey: ['active-sessions'],
  queryFn: ({ signal }) => call(listSessions, {}, { signal }),
  refetchOnWindowFocus: 'always',
})

/** Signs out one browser, or all others if no id is given. */
export function useEndSessions() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string | undefined): Promise<ActiveSessions> =>
      id === undefined ? call(endOtherSessions, {}) : call(endSession, { params: { id } }),
    onSuccess: (fresh) => storeReply(queryClient, activeSessionsQuery.queryKey, fresh),
    // Some may be signed out even so.
    onError: () => queryClient.invalidateQueries(activeSessionsQuery),
  })
}
