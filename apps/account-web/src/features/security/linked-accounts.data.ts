import { readLinkedAccounts } from '@atrium/contract/linked-accounts.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** Read again when the page is looked at: a provider may have severed the popup that linked one. */
export const linkedAccountsQuery = queryOptions({
  queryKey: ['linked-accounts'],
  queryFn: ({ signal }) => call(readLinkedAccounts, {}, { signal }),
  refetchOnWindowFocus: 'always',
})
