import { PlanChangeType } from '@atrium/contract/plan-change-types.ts'
import { z } from 'zod'
import { sentRequests } from '../../../page/sent-requests.ts'

const Payment = z.object({
  /** What the customer asks for; an empty `couponCode`: none. */
  asked: z.object({
    sid: z.string(),
    type: PlanChangeType,
    increasingNumber: z.number(),
    upgradeSelect: z.string(),
    couponCode: z.string(),
  }),
  quoteId: z.string(),
  /** As it is shown. */
  discount: z.number(),
  paymentMethodId: z.string(),
  /** Idempotency key. */
  key: z.string(),
})
export type Payment = z.output<typeof Payment>

const { store, forget, unanswered } = sentRequests('sent-payment', Payment)
export const storeSent = store
export const forgetSent = forget

/** The payment of a change that was sent before the page was reloaded, and whose answer never came; undefined: there is none. */
export function sentPayment(
  storage: Storage,
  { sid, type }: Pick<Payment['asked'], 'sid' | 'type'>,
  now: number,
): Payment | undefined {
  const payment = unanswered(storage, now)
  return payment?.asked.sid === sid && payment.asked.type === type ? payment : undefined
}
