import { PlanChangeType } from '@atrium/contract/plan-change-types.ts'
import { z } from 'zod'

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

const Sent = Payment.extend({
  /** When it was sent, in epoch milliseconds. */
  at: z.number(),
})

/** Its name in the storage of the tab. */
const name = 'sent-payment'

/** In milliseconds: the server finds out within two minutes what became of a payment. */
const continuedMs = 120_000

/** Remembers a payment until its answer is there: the page may be reloaded meanwhile. */
export function storeSent(storage: Storage, payment: Payment, now: number): void {
  storage.setItem(name, JSON.stringify({ ...payment, at: now } satisfies z.input<typeof Sent>))
}

/** @param key only the payment with this idempotency key; without it, any */
export function forgetSent(storage: Storage, key?: string): void {
  if (key === undefined || storedIn(storage)?.key === key) storage.removeItem(name)
}

function storedIn(storage: Storage): z.output<typeof Sent> | undefined {
  const stored = storage.getItem(name)
  // An earlier version of the page may have stored something else.
  return stored === null ? undefined : Sent.safeParse(JSON.parse(stored)).data
}

/** The payment of a change that was sent before the page was reloaded, and whose answer never came; undefined: there is none. */
export function sentPayment(
  storage: Storage,
  { sid, type }: Pick<Payment['asked'], 'sid' | 'type'>,
  now: number,
): Payment | undefined {
  const stored = storedIn(storage)
  if (!stored) return undefined
  const { at, ...payment } = stored
  const isThis = payment.asked.sid === sid && payment.asked.type === type
  return isThis && now - at < continuedMs ? payment : undefined
}
