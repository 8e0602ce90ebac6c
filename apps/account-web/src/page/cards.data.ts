import { listCards } from '@atrium/contract/cards.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'

/** The member's cards, the default first. */
export const cardsQuery = queryOptions({
  queryKey: ['cards'],
  queryFn: ({ signal }) => call(listCards, {}, { signal }),
})
