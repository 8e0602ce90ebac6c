import type { ChangeDetail } from '@atrium/contract/change-details.ts'
import type { EndpointReply, EndpointRequest } from '@atrium/contract/endpoint.ts'
import { changePlan, changePlanFrom, memberPlanPlace, paypalCallBack } from '@atrium/contract/plan-changes.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call, problemData } from '../../../api/call.ts'
import { untilKnown } from '../../../api/until-known.ts'
import { usePaymentConfirmation } from '../../../page/use-payment-confirmation.ts'
import { forgetSent, type Payment, storeSent } from './sent-payment.ts'

export type AskedChange = Payment['asked']
export type Purchase = EndpointReply<typeof changePlan>

/** A quote of exactly what a change would charge now; another number or plan is another quote. */
export const changeQuery = (asked: AskedChange) =>
  queryOptions({
    queryKey: ['subscription-change', asked],
    queryFn: async ({ signal }): Promise<ChangeDetail> => {
      const detail = await call(changePlanFrom, { body: asked }, { signal })
      if (!('quote' in detail)) throw new Error('a change has a quote')
      return detail
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // Until the dialog shows what was fetched for it, and no longer: the next one begins with another quote.
    gcTime: 1000,
    retry: false,
  })

/**
 * Whoever closes the dialog while an answer is missing wants nothing sent again, nor the bank's question later. The lists behind it then
 * show what waits.
 */
function useIsShown(): () => boolean {
  const queryClient = useQueryClient()
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    // A reload does not run this: what was sent then is continued.
    return () => {
      shown.current = false
      forgetSent(sessionStorage)
      void queryClient.invalidateQueries({ queryKey: ['subscriptions'] })
    }
  }, [queryClient])
  return () => shown.current
}

/** Makes the change, with the bank's question where it asks one. The server decides how it ended. */
export function usePayChange() {
  const confirm = usePaymentConfirmation()
  const isShown = useIsShown()
  return useMutation({
    mutationFn: async (wanted: Payment): Promise<Purchase> => {
      if (!isShown()) throw new Error('the dialog was closed')
      storeSent(sessionStorage, wanted, Date.now())
      const {
        asked: { sid, ...asked },
        key,
        ...payment
      } = wanted
      const body = { ...asked, ...payment, subscriptionId: sid }
      const purchase = await call(changePlan, { body }, { key })
      // What the bank asks is continued by the customer.
      forgetSent(sessionStorage, key)
      return isBanks(purchase) && isShown() ? finish(confirm, sid, purchase) : purchase
    },
    ...untilKnown,
    onSettled: (_purchase, _error, { key }, _result, { client }) => {
      forgetSent(sessionStorage, key)
      void client.invalidateQueries({ queryKey: ['subscriptions'] })
    },
  })
}

/** Asks the bank's question again that was left open; without a purchase, that of the last change that the server knows. */
export function useAskBankAgain(sid: string) {
  const confirm = usePaymentConfirmation()
  return useMutation({
    mutationFn: async (purchase: Purchase | undefined) => {
      const open = purchase ?? (await call(memberPlanPlace, { body: { subscriptionId: sid } }))
      return isBanks(open) ? finish(confirm, sid, open) : open
    },
    onSettled: (_purchase, _error, _before, _result, { client }) =>
      void client.invalidateQueries({ queryKey: ['subscriptions'] }),
  })
}

/** How the last change stands that was ordered at PayPal; captured, if the customer has approved it. The lists are loaded again. */
export const orderedQuery = (subscriptionId: string) =>
  queryOptions({
    queryKey: ['subscription-ordered', subscriptionId],
    queryFn: async ({ signal, client }) => {
      try {
        return await call(paypalCallBack, { body: { subscriptionId } }, { signal })
      } finally {
        void client.invalidateQueries({ queryKey: ['subscriptions'] })
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 1000,
    retry: false,
  })

/** After the approval at PayPal: the server asks PayPal how it ended. */
export function useFinishAtPaypal(sid: string) {
  return useMutation({
    mutationFn: ({ paypalOrderId: invoiceId }: Purchase) =>
      call(paypalCallBack, { body: { subscriptionId: sid, invoiceId } }),
    onSettled: (_purchase, _error, _before, _result, { client }) =>
      void client.invalidateQueries({ queryKey: ['subscriptions'] }),
  })
}

function isBanks({ paymentIntentStatus, payType }: Purchase): boolean {
  return paymentIntentStatus === 'requires_action' && payType === 'card'
}

async function finish(
  confirm: (clientSecret: string) => Promise<void>,
  subscriptionId: EndpointRequest<typeof memberPlanPlace>['body']['subscriptionId'],
  { clientSecret }: Purchase,
): Promise<Purchase> {
  await confirm(clientSecret)
  return call(memberPlanPlace, { body: { subscriptionId } })
}

/** The fresh quote of a change that was refused because its price is another one now. */
export function freshQuote(problem: unknown) {
  return problemData(problem, changePlan, 'quote_changed')
}

/** The earlier change because of which nothing is quoted, if it waits for the customer. */
export function openChangeIn(problem: unknown) {
  return problemData(problem, changePlanFrom, 'subscription_change_pending') ?? undefined
}

/** What was ordered, if PayPal could not take its payment, or another account approved it: it begins again with the same number. */
export function unpaidIn(problem: unknown) {
  return (
    problemData(problem, paypalCallBack, 'payment_declined') ??
    problemData(problem, paypalCallBack, 'other_paypal_account')
  )
}
