import type { EndpointReply, EndpointRequest } from '@atrium/contract/endpoint.ts'
import { checkTransfer, subscriptionTransfer, transferEmailCode } from '@atrium/contract/transfers.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { usePage } from '../../page/page-data.ts'
import { type SentTransfer, sentTransfer } from './sent-transfer.ts'

export type Eligibility = EndpointReply<typeof checkTransfer>
export type Transferred = EndpointReply<typeof subscriptionTransfer>

/** Whether the member can transfer their subscriptions, and which. */
export const eligibilityQuery = queryOptions({
  queryKey: ['transfers', 'eligibility'],
  queryFn: ({ signal }) => call(checkTransfer, {}, { signal }),
})

/** Sends a code to each of both mailboxes. */
export function useSendCodes() {
  const { locale } = usePage()
  return useMutation({
    mutationFn: (email: string) => call(transferEmailCode, { body: { email, lang: locale.code } }),
  })
}

type Codes = Omit<EndpointRequest<typeof subscriptionTransfer>['body'], 'lang'>

/** A retry after a lost answer, or after a reload, transfers nothing twice. Afterwards every list is another one. */
export function useTransfer() {
  const { locale } = usePage()
  const queryClient = useQueryClient()
  const idempotency = useIdempotencyKey()
  const transfer = useMutation({
    mutationFn: ({ key, ...codes }: SentTransfer) => {
      sentTransfer.store(sessionStorage, { ...codes, key }, Date.now())
      return call(subscriptionTransfer, { body: { ...codes, lang: locale.code } }, { key })
    },
    onError: (problem, { key }) => {
      if (!(problem instanceof CallProblem && problem.isRefusal)) return
      sentTransfer.forget(sessionStorage, key)
      idempotency.renew()
      // What moves, or whether anything can, may be another than is shown.
      void queryClient.invalidateQueries({ queryKey: eligibilityQuery.queryKey })
    },
    onSuccess: (_transferred, { key }) => {
      sentTransfer.forget(sessionStorage, key)
      // Not waited for: what was transferred is shown at once, also where nothing is left to transfer.
      for (const name of ['transfers', 'subscriptions', 'products', 'team', 'licenses', 'devices']) {
        void queryClient.invalidateQueries({ queryKey: [name] })
      }
    },
  })
  return { ...transfer, send: (codes: Codes) => transfer.mutateAsync({ ...codes, key: idempotency.key }) }
}
