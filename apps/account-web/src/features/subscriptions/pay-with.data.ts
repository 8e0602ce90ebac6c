import { changePayingCard } from '@atrium/contract/paying-cards.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { untilKnown } from '../../api/until-known.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { payingCardsKey } from '../../page/cards.data.ts'
import { amountNow, type Due, usePayOverdue } from '../../page/use-pay-overdue.ts'

/** Has a card pay for a subscription from now on, and, at once, what is overdue: `due`, as the button says. */
export function usePayWith(subscription: Subscription) {
  const { stripeSubscriptionId: sid, stripeSubscriptionStatus: status, dueAmount: amount, currency } = subscription
  const idempotency = useIdempotencyKey()
  const payOverdue = usePayOverdue(subscription)
  const shown: Due | undefined = status === 'past_due' && amount && currency ? { amount, currency } : undefined
  const due = amountNow(payOverdue.error) ?? shown

  const change = useMutation({
    mutationFn: async (paymentMethodId: string) => {
      await call(changePayingCard, { params: { sid }, body: { paymentMethodId } }, { key: idempotency.key })
      if (due) await payOverdue.mutateAsync({ ...due, paymentMethodId })
    },
    ...untilKnown,
    onSettled: (_done, _error, _id, _result, { client }) => {
      idempotency.renew()
      void client.invalidateQueries({ queryKey: ['subscriptions'] })
      void client.invalidateQueries(payingCardsKey)
    },
  })
  return { ...change, due }
}
