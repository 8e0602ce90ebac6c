import { readSession, type SessionMember } from '@atrium/contract/session.ts'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { usePage } from './page-data.ts'

/** The signed-in member. The page contains the first answer. */
const memberQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }): Promise<SessionMember> => call(readSession, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export function useMember(): SessionMember {
  const { member } = usePage()
  return useQuery({ ...memberQuery, initialData: member }).data
}

/** Shows a change of name immediately. Returns a function that undoes it. */
export function renameMember(
  queryClient: QueryClient,
  name: Pick<SessionMember, 'firstName' | 'lastName'>,
): () => void {
  const before = queryClient.getQueryData(memberQuery.queryKey)
  if (before) queryClient.setQueryData(memberQuery.queryKey, { ...before, ...name })
  return () => queryClient.setQueryData(memberQuery.queryKey, before)
}
