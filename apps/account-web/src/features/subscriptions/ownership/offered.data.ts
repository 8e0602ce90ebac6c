import { listOffered } from '@atrium/contract/offered-subscriptions.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'

/** Trials that were begun with the member's address, and wait for an answer. */
export const offeredQuery = queryOptions({
  queryKey: ['offered-subscriptions'],
  queryFn: ({ signal }) => call(listOffered, {}, { signal }),
})
