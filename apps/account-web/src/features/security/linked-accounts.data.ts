import { readLinkedAccounts, unlinkAccount } from '@atrium/contract/linked-accounts.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** Read again when the page is looked at: a provider may have severed the popup that linked one. */
export const linkedAccountsQuery = queryOptions({
  queryKey: ['linked-accounts'],
  queryFn: ({ signal }) => call(readLinkedAccounts, {}, { signal }),
  refetchOnWindowFocus: 'always',
})

export function useUnlinkAccount() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(unlinkAccount, { params: { id } }),
    onSuccess: (fresh) => queryClient.setQueryData(linkedAccountsQuery.queryKey, fresh),
  })
}
