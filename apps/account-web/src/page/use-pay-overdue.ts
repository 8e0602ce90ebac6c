import { finishOverduePayment, payOverdue } from '@atrium/contract/overdue-payments.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useMutation } from '@tanstack/react-query'
import { call, problemData } from '../api/call.ts'
import { untilKnown } from '../api/until-known.ts'
import { useIdempotencyKey } from '../api/use-idempotency-key.ts'
import { usePaymentConfirmation } from './use-payment-confirmation.ts'

/** What is open of a subscription, in minor units. */
export interface Due {
  amount: number
  currency: string
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
