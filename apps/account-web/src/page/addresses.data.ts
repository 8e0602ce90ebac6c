import { listAddresses } from '@atrium/contract/addresses.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'

/** The member's billing addresses, the default first. */
export const addressesQuery = queryOptions({
  queryKey: ['addresses'],
  queryFn: ({ signal }) => call(listAddresses, {}, { signal }),
})
