import type { LocaleCode } from '@atrium/contract/locale.ts'
import {
  dismissRenewalPrompt,
  listMyProducts,
  listRenewalPrompts,
  type RenewalReason,
} from '@atrium/contract/products.ts'
import { paypalRenewSubscription } from '@atrium/contract/subscriptions.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { prefetch, renewalsKey, storeReply } from '../../api/query-client.ts'
import { ProductsSearch } from './products.search.ts'

type List = 'online' | 'offline'

/**
 * What is bought, paid or changed elsewhere, in another tab or in a dialog of My Subscriptions, is here when the customer comes
 * back. For some seconds what was preloaded counts.
 */
const fresh = { refetchOnWindowFocus: 'always', staleTime: 3000 } as const

export const productsQuery = (lang: LocaleCode, list: List) =>
  queryOptions({
    queryKey: ['products', lang, list],
    queryFn: ({ signal }) =>
      call(listMyProducts, { query: { lang, subscriptionType: list === 'offline' ? '1' : '0' } }, { signal }),
    ...fresh,
  })

export const promptsQuery = (lang: LocaleCode) =>
  queryOptions({
    queryKey: [...renewalsKey, lang],
    queryFn: ({ signal }) => call(listRenewalPrompts, { query: { lang } }, { signal }),
    ...fresh,
  })

/** Loads the data for an address before its screen. */
export async function prefetchProducts(queryClient: QueryClient, lang: LocaleCode, search: object): Promise<void> {
  const { list = 'online' } = ProductsSearch.parse(search)
  await Promise.all([prefetch(queryClient, productsQuery(lang, list)), prefetch(queryClient, promptsQuery(lang))])
}

/** Hides a prompt for seven days. */
export function useDismissPrompt(lang: LocaleCode) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (prompt: { subject: string; reason: RenewalReason }) =>
      call(dismissRenewalPrompt, { body: { ...prompt, lang } }),
    onSuccess: (prompts) => storeReply(queryClient, promptsQuery(lang).queryKey, prompts),
    // It is gone already, or cannot be hidden: the list says which.
    onError: () => void queryClient.invalidateQueries({ queryKey: promptsQuery(lang).queryKey }),
  })
}

/** The address at which a change is confirmed at PayPal. */
export function useConfirmPlan() {
  return useMutation({ mutationFn: (sid: string) => call(paypalRenewSubscription, { body: { sid } }) })
}
