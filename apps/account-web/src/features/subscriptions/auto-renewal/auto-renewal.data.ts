import { checkCancelSr, subscriptionCancel, subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import type { EndpointReply, EndpointRequest } from '@atrium/contract/endpoint.ts'
import type { listSubscriptions, Subscription } from '@atrium/contract/subscriptions.ts'
import { type QueryClient, queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'

/** What turning auto-renewal off would stop, as of when the dialog opens. */
export const endingQuery = (sid: string) =>
  queryOptions({
    queryKey: ['subscription-ending', sid],
    queryFn: ({ signal }) => call(checkCancelSr, { body: { sid } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })

export function useTurnOff() {
  return useMutation({
    mutationFn: (body: EndpointRequest<typeof subscriptionCancel>['body']) => call(subscriptionCancel, { body }),
    onSuccess: (changed, _body, _result, { client }) => show(client, changed),
    // What is planned is said again, and what is refused may have no switch any more.
    onError: async (_problem, { sid }, _result, { client }) => {
      await client.invalidateQueries({ queryKey: endingQuery(sid).queryKey })
      await client.invalidateQueries({ queryKey: ['subscriptions'] })
    },
  })
}

export function useTurnOn() {
  return useMutation({
    mutationFn: (body: EndpointRequest<typeof subscriptionRenew>['body']) => call(subscriptionRenew, { body }),
    onSuccess: (changed, _sid, _result, { client }) => show(client, changed),
    // What is refused may have no switch any more.
    onError: (_problem, _sid, _result, { client }) => client.invalidateQueries({ queryKey: ['subscriptions'] }),
  })
}

type List = EndpointReply<typeof listSubscriptions>

/** The row at once; the rest of the list, such as its add-ons, is loaded again. */
function show(queryClient: QueryClient, changed: Subscription): void {
  queryClient.setQueriesData<List>(
    { queryKey: ['subscriptions', 'online'] },
    (known) => known && withRow(known, changed),
  )
  void queryClient.invalidateQueries({ queryKey: ['subscriptions'] })
}

function withRow({ list, total }: List, changed: Subscription): List {
  const isSame = ({ stripeSubscriptionId: id }: Subscription) => id === changed.stripeSubscriptionId
  return { list: list.map((row) => (isSame(row) ? changed : row)), total }
}
