import {
  type CardEdit,
  type CardList,
  readCard,
  removeCard,
  setDefaultCard,
  updateCard,
} from '@atrium/contract/cards.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, problemData } from '../../api/call.ts'
import { storeReply } from '../../api/query-client.ts'
import { cardsQuery, reloadCards } from '../../page/cards.data.ts'

/** The content of the edit dialog, loaded from the provider whenever it opens and not cached. */
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
    ...mutationCallbacks(queryClient),
  })
}

/** Optimistic, and rolled back if refused. The server defines the order of the list. */
export function useSetDefaultCard() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (paymentMethodId: string) => call(setDefaultCard, { params: { paymentMethodId } }),
    ...mutationCallbacks(queryClient),
    onMutate: async (paymentMethodId) => {
      await queryClient.cancelQueries(cardsQuery)
      const before = queryClient.getQueryData(cardsQuery.queryKey)
      if (before) queryClient.setQueryData(cardsQuery.queryKey, { ...before, defaultPaymentID: paymentMethodId })
      return { before }
    },
    onError: (problem, _id, context) => {
      queryClient.setQueryData(cardsQuery.queryKey, context?.before)
      reloadCards(queryClient, problem)
    },
  })
}

interface Removal {
  paymentMethodId: string
  /** The default card pays from now on for what this one pays for. */
  isReplaced: boolean
}

/** The products that a card pays for, if that is why it was not removed. */
export function productsPaid(problem: unknown): readonly string[] | undefined {
  return problemData(problem, removeCard, 'card_in_use')?.products
}

export function useRemoveCard() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ paymentMethodId, isReplaced }: Removal) =>
      call(removeCard, { params: { paymentMethodId }, query: { replace: isReplaced ? '1' : '0' } }),
    ...mutationCallbacks(queryClient),
    onError: (problem) => {
      const fresh = problemData(problem, removeCard, 'default_required')
      if (fresh) return storeReply(queryClient, cardsQuery.queryKey, fresh)
      return reloadCards(queryClient, problem)
    },
  })
}

/** Stores the list of the reply. */
function mutationCallbacks(queryClient: QueryClient) {
  return {
    onSuccess: (fresh: CardList) => storeReply(queryClient, cardsQuery.queryKey, fresh),
    onError: (problem: Error) => reloadCards(queryClient, problem),
  }
}
