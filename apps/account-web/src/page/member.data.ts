import { readSession, type SessionMember } from '@atrium/contract/session.ts'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { usePage } from './page-data.ts'

/** Who is signed in. The page brings the first answer with it. */
const memberQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call(readSession, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export function useMember(): SessionMember {
  const { member } = usePage()
  return useQuery({ ...memberQuery, initialData: member }).data
}

/** Shows a change of name at once. Returns how to take it back. */
export function renameMember(
  queryClient: QueryClient,
  name: Pick<SessionMember, 'firstName' | 'lastName'>,
): () => void {
  const before = queryClient.getQueryData(memberQuery.queryKey)
  if (before) queryClient.setQueryData(memberQuery.queryKey, { ...before, ...name })
  return () => queryClient.setQueryData(memberQuery.queryKey, before)
}
