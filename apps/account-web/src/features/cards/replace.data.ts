import { listCards, removeCard } from '@atrium/contract/cards.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { storeReply } from '../../api/query-client.ts'
import { cardsQuery, reloadCards } from '../../page/cards.data.ts'

/** The names of the products that a card of their own pays for. */
export const productsPaidBy = (paymentMethodId: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'paid-by-card'],
    queryFn: ({ signal }) => call(listSubscriptions, { query: { pageSize: 100 } }, { signal }),
    select: ({ list }) => [
      ...new Set(
        list
          .filter((one) => one.paymentMethodId === paymentMethodId && one.stripeSubscriptionStatus !== 'canceled')
          .map(({ appName }) => appName),
      ),
    ],
  })

/** A card that is on file takes over what another one does, which is removed. */
export function useReplaceCard(paymentMethodId: string) {
  return useMutation({
    mutationFn: async (successor: string) => {
      try {
        return await call(removeCard, { params: { paymentMethodId }, query: { successor } })
      } catch (problem) {
        return replacedBefore(problem, paymentMethodId, successor)
      }
    },
    onSuccess: (fresh, _successor, _result, { client }) => storeReply(client, cardsQuery.queryKey, fresh),
    onError: (problem, _successor, _result, { client }) => reloadCards(client, problem),
    // Which card pays for what has changed.
    onSettled: (_fresh, _problem, _successor, _result, { client }) =>
      void client.invalidateQueries({ queryKey: ['subscriptions'] }),
  })
}

/** An earlier request may have replaced it without an answer. @throws the problem if not */
async function replacedBefore(problem: unknown, old: string, successor: string) {
  if (!(problem instanceof CallProblem && problem.code === 'not_found')) throw problem
  const fresh = await call(listCards, {})
  const ids = fresh.cardList.map(({ id }) => id)
  if (ids.includes(old) || !ids.includes(successor)) throw problem
  return fresh
}
