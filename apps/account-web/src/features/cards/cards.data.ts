import {
  type CardEdit,
  type CardList,
  listCards,
  readCard,
  removeCard,
  setDefaultCard,
  updateCard,
} from '@atrium/contract/cards.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, problemData } from '../../api/call.ts'
import { isSignedOut } from '../../api/signed-out.ts'

export const cardsQuery = queryOptions({
  queryKey: ['cards'],
  queryFn: ({ signal }) => call(listCards, {}, { signal }),
})

/** What the edit dialog shows, as the provider has it when it opens: nothing is kept once it is closed. */
export const cardQuery = (lang: LocaleCode, paymentMethodId: string) =>
  queryOptions({
    queryKey: ['card', lang, paymentMethodId],
    queryFn: ({ signal }) => call(readCard, { params: { paymentMethodId }, query: { lang } }, { signal }),
    gcTime: 0,
  })

export function useUpdateCard(paymentMethodId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (edit: CardEdit) => call(updateCard, { params: { paymentMethodId }, body: edit }),
    ...followed(queryClient),
  })
}

/** Shown at once, and taken back if it is refused. The order of the list is the server’s. */
export function useSetDefaultCard() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (paymentMethodId: string) => call(setDefaultCard, { params: { paymentMethodId } }),
    ...followed(queryClient),
    onMutate: async (paymentMethodId) => {
      await queryClient.cancelQueries(cardsQuery)
      const before = queryClient.getQueryData(cardsQuery.queryKey)
      if (before) queryClient.setQueryData(cardsQuery.queryKey, { ...before, defaultPaymentID: paymentMethodId })
      return { before }
    },
    onError: (problem, _id, context) => {
      queryClient.setQueryData(cardsQuery.queryKey, context?.before)
      askAgain(queryClient, problem)
    },
  })
}

export function useRemoveCard() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (paymentMethodId: string) => call(removeCard, { params: { paymentMethodId } }),
    ...followed(queryClient),
    onError: (problem) => {
      const fresh = problemData(problem, removeCard, 'default_required')
      if (fresh) queryClient.setQueryData(cardsQuery.queryKey, fresh)
      else askAgain(queryClient, problem)
    },
  })
}

/** The reply is the fresh list: nothing is asked for again. */
function followed(queryClient: QueryClient) {
  return {
    onMutate: () => queryClient.cancelQueries(cardsQuery),
    onSuccess: (fresh: CardList) => {
      queryClient.setQueryData(cardsQuery.queryKey, fresh)
    },
    onError: (problem: Error) => askAgain(queryClient, problem),
  }
}

/** It did not work, or its answer was lost: the list may not be what it was. Who is signed out cannot ask. */
export function askAgain(queryClient: QueryClient, problem: unknown): void {
  if (!isSignedOut(problem)) void queryClient.invalidateQueries(cardsQuery)
}
