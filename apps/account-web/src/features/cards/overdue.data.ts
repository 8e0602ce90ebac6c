import { finishOverduePayment, payOverdue } from '@atrium/contract/overdue-payments.ts'
import { listSubscriptions, type Subscription } from '@atrium/contract/subscriptions.ts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call, problemData } from '../../api/call.ts'
import { untilKnown } from '../../api/until-known.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { usePaymentConfirmation } from '../../page/use-payment-confirmation.ts'

interface Due {
  amount: number
  currency: string
}

/** A subscription, and what is open of it. */
export interface Overdue {
  subscription: Subscription
  due: Due
}

const pastDueQuery = queryOptions({
  queryKey: ['subscriptions', 'overdue'],
  queryFn: ({ signal }) => call(listSubscriptions, { query: { status: 'past_due', pageSize: 100 } }, { signal }),
  // Whoever pays elsewhere comes back to the truth.
  refetchOnWindowFocus: 'always',
})

/** The member's own subscriptions whose payment by card has failed, and can be made here. */
export const overdueQuery = queryOptions({ ...pastDueQuery, select: ({ list }) => list.flatMap(overdueOf) })

/** The member's own subscriptions whose payment by card has failed, for a page on which nothing is paid. A partner's is not ours to explain. */
export const unpaidQuery = queryOptions({
  ...pastDueQuery,
  select: ({ list }) =>
    list.filter(({ payType, whetherHiddenPrice }) => payType === 'card' && whetherHiddenPrice !== 1),
})

/** The member's subscriptions of which a renewal was declined, and that are paid by now. */
export const declinedQuery = queryOptions({
  queryKey: ['subscriptions', 'declined'],
  queryFn: ({ signal }) => call(listSubscriptions, { query: { status: 'active', pageSize: 100 } }, { signal }),
  // A card may have been declined for several: the latest day is shown.
  select: ({ list }) =>
    list
      .filter(({ lastDecline }) => lastDecline !== undefined)
      .sort((one, other) => (other.lastDecline?.at ?? '').localeCompare(one.lastDecline?.at ?? '')),
})

/**
 * What is paid from elsewhere cannot be paid with the default card. Without an amount there is nothing that the page could ask for,
 * as where prices are hidden.
 */
function overdueOf(subscription: Subscription): Overdue[] {
  const { payType, paidFrom, stripeSdkUrl, dueAmount: amount, currency } = subscription
  if (paidFrom !== 'account') return []
  if (payType !== 'card' || stripeSdkUrl === '' || !amount || !currency) return []
  return [{ subscription, due: { amount, currency } }]
}

/** Pays with a card on file, with the bank's question where it asks one. The server decides how it ended. */
export function usePayOverdue({ stripeSubscriptionId: sid }: Subscription) {
  const confirm = usePaymentConfirmation()
  const idempotency = useIdempotencyKey()
  return useMutation({
    mutationFn: async ({ paymentMethodId, ...due }: Due & { paymentMethodId: string }) => {
      const asked = { params: { sid }, body: { ...due, paymentMethodId } }
      let payment = await call(payOverdue, asked, { key: idempotency.key })
      let answered = ''
      // The bank may ask about each of several invoices; a question that stays open is not asked twice.
      while (payment.paymentIntentStatus === 'requires_action' && payment.clientSecret !== answered) {
        answered = payment.clientSecret
        await confirm(payment.clientSecret)
        payment = await call(finishOverduePayment, { params: { sid } })
      }
      return payment
    },
    ...untilKnown,
    onSettled: (_payment, _error, _asked, _result, { client }) => {
      idempotency.renew()
      void client.invalidateQueries({ queryKey: ['subscriptions'] })
    },
  })
}

/** What is open, if it was another amount than shown. */
export function amountNow(problem: unknown): Due | undefined {
  return problemData(problem, payOverdue, 'amount_changed')
}
