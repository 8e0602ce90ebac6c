import { enablePooling } from '@atrium/contract/envelope-sharing.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'

/** One subscription; undefined if the member has none of this id. */
export const subscriptionQuery = (sid: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'one', sid],
    queryFn: async ({ signal }) => {
      const { list } = await call(listSubscriptions, { query: { keywords: sid } }, { signal })
      return list.find(({ stripeSubscriptionId: id }) => id === sid) ?? null
    },
  })

export function useEnableSharing() {
  return useMutation({
    mutationFn: (sid: string) => call(enablePooling, { body: { sid } }),
    onSuccess: (_changed, _sid, _result, { client }) => client.invalidateQueries({ queryKey: ['subscriptions'] }),
  })
}
