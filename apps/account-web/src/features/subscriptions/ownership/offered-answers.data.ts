import { answerOffered, declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { storeReply } from '../../../api/query-client.ts'
import { offeredQuery } from './offered.data.ts'

export function useAnswerOffered() {
  return useMutation({
    mutationFn: ({ id, isMine }: { id: string; isMine: boolean }) =>
      call(answerOffered, { params: { id }, body: { isMine } }),
    onSuccess: (fresh, _answer, _result, { client }) => storeReply(client, offeredQuery.queryKey, fresh),
    // What was added is listed, and one that was answered elsewhere is not offered any more.
    onSettled: (_fresh, _problem, _answer, _result, { client }) => {
      void client.invalidateQueries({ queryKey: ['subscriptions'] })
      void client.invalidateQueries(offeredQuery)
    },
  })
}

/** Says that a subscription is somebody else's. What was bought with it is gone from the lists, too. */
export function useDecline() {
  return useMutation({
    mutationFn: (sid: string) => call(declineSubscription, { params: { sid } }),
    onSuccess: (_declined, _sid, _result, { client }) => client.invalidateQueries(),
  })
}
