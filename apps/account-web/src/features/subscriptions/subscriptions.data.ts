import { dropOpenChange } from '@atrium/contract/plan-changes.ts'
import {
  autoLoginRedact,
  getPortal,
  listSubscriptions,
  paypalAddLicense,
  paypalRenewSubscription,
  type Subscription,
} from '@atrium/contract/subscriptions.ts'
import { keepPreviousData, type QueryClient, queryOptions, useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call, callOnce } from '../../api/call.ts'
import { callForWindow, useAskAgain } from '../../api/call-for-window.ts'
import { prefetch } from '../../api/query-client.ts'
import { listPageSize } from '../../page/list-page.ts'
import { SubscriptionsFilter, SubscriptionsSearch } from './subscriptions.search.ts'

/** The previous page stays visible while another one loads. */
export const onlineSubscriptionsQuery = (filter: SubscriptionsFilter, page: number) =>
  queryOptions({
    queryKey: ['subscriptions', 'online', filter, page],
    queryFn: ({ signal }) =>
      call(listSubscriptions, { query: { ...filter, page, pageSize: listPageSize } }, { signal }),
    // They come back from the provider's page, or from PayPal in another tab.
    refetchOnWindowFocus: 'always',
    placeholderData: keepPreviousData,
  })

export const offlineSubscriptionsQuery = (page: number) =>
  queryOptions({
    queryKey: ['subscriptions', 'offline', page],
    queryFn: ({ signal }) =>
      call(listSubscriptions, { query: { subscriptionType: '1', page, pageSize: listPageSize } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Loads the list for an address. */
export function prefetchSubscriptions(queryClient: QueryClient, search: unknown): Promise<void> {
  const { list, page = 1 } = SubscriptionsSearch.parse(search)
  return list === 'offline'
    ? prefetch(queryClient, offlineSubscriptionsQuery(page))
    : prefetch(queryClient, onlineSubscriptionsQuery(SubscriptionsFilter.parse(search), page))
}

/** Applies what PayPal says of a subscription; the lists are loaded again. */
export const paypalReturnQuery = (stripeSubscriptionId: string, discountBizType: string) =>
  queryOptions({
    queryKey: ['paypal-return', stripeSubscriptionId],
    queryFn: async ({ signal, client }) => {
      const applied = await call(paypalAddLicense, { query: { stripeSubscriptionId, discountBizType } }, { signal })
      void client.invalidateQueries({ queryKey: ['subscriptions'] })
      return applied
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })

/**
 * Drops a change that waits for its payment; the lists are loaded again. The callbacks are the mutation's own: the notice with the button
 * is gone once the lists are there.
 */
export function useDropChange(sid: string, callbacks: DropCallbacks) {
  return useMutation({
    mutationFn: () => call(dropOpenChange, { params: { sid } }),
    ...callbacks,
    onSettled: (_dropped, _error, _nothing, _result, { client }) =>
      client.invalidateQueries({ queryKey: ['subscriptions'] }),
  })
}

interface DropCallbacks {
  onSuccess(outcome: { isDropped: 0 | 1 }): void
  onError(problem: Error): void
}

export function useConfirmRenewal() {
  return useMutation({ mutationFn: (sid: string) => call(paypalRenewSubscription, { body: { sid } }) })
}

type Managed<Opened> = Pick<Subscription, 'stripeSubscriptionId' | 'manageBy'> & {
  /** Open already, and empty. */
  window: Opened
}

/** Leads a window to where a subscription is managed; closes it if the address cannot be had. */
export function useLeadToPlace() {
  const { t } = useTranslation('subscriptions')
  const askAgain = useAskAgain(t('manage.action'))
  return useMutation({
    mutationFn: (managed: Managed<Window>) => placeAddress(managed, askAgain),
    onSuccess: (place, { window }) => place && window.location.replace(place.url),
    onError: (_error, { window }) => window.close(),
  })
}

/** Where a subscription is managed; undefined if the session had ended, and the window is closed. @throws CallProblem */
export function placeAddress(
  { stripeSubscriptionId: sid, manageBy, window }: Managed<Pick<Window, 'close'>>,
  askAgain: () => void,
) {
  const send = () =>
    manageBy === 'portal' ? callOnce(getPortal, { params: { sid } }) : callOnce(autoLoginRedact, { body: { sid } })
  return callForWindow({ window, askAgain, send })
}
