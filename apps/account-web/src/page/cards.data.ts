import { listCards } from '@atrium/contract/cards.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { isSignedOut } from '../api/signed-out.ts'

/** The member's cards, the default first. */
export const cardsQuery = queryOptions({
  queryKey: ['cards'],
  queryFn: ({ signal }) => call(listCards, {}, { signal }),
})

/** Reloads the list after a failure or a lost answer, unless the session has ended. */
export function reloadCards(queryClient: QueryClient, problem: unknown): void {
  if (!isSignedOut(problem)) void queryClient.invalidateQueries(cardsQuery)
}
