import { listCards } from '@atrium/contract/cards.ts'
import { listPayingCards } from '@atrium/contract/paying-cards.ts'
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

export const payingCardsKey = { queryKey: ['paying-cards'] } as const

/** The member's cards that can pay for a change of a subscription, or for the subscription itself from now on. */
export const payingCardsQuery = (sid: string, purpose: 'change' | 'payer') =>
  queryOptions({
    queryKey: [...payingCardsKey.queryKey, sid, purpose],
    queryFn: ({ signal }) => call(listPayingCards, { params: { sid }, query: { purpose } }, { signal }),
    staleTime: 0,
  })
