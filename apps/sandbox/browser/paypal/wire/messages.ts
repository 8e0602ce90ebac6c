import * as z from 'zod/mini'

/**
 * The messages between the merchant's page, the button in its frame, and the popup. Every message has a channel, and is
 * sent to and accepted from one exact origin.
 */

const text = z.string().check(z.maxLength(2000))

export const colors = ['gold', 'blue', 'silver', 'white', 'black'] as const
export const labels = ['paypal', 'checkout', 'buynow', 'pay', 'installment', 'subscribe', 'donate'] as const

export const Configuration = z.object({
  locale: text,
  color: z.enum(colors),
  label: z.enum(labels),
  /** In pixels, from 25 to 55. */
  height: z.number(),
  /** In pixels. */
  radius: z.number(),
  hasMaxWidth: z.boolean(),
  isDisabled: z.boolean(),
})
export type Configuration = z.infer<typeof Configuration>

/** To the button. */
export const ToButton = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('configure'), configuration: Configuration }),
  /** What the popup is to ask: the order or subscription. */
  z.object({ kind: z.literal('ask'), subject: z.enum(['token', 'subscription_id']), id: text }),
  /** Nothing is asked after all. */
  z.object({ kind: z.literal('dismiss') }),
])
export type ToButton = z.infer<typeof ToButton>

/** The buyer's answer, from the popup to the button, and on to the merchant's page. */
export const Answer = z.object({
  kind: z.enum(['approved', 'canceled']),
  /** Of an order; of a subscription a token that names nothing. */
  token: text,
  payerId: text,
  subscription_id: z.optional(text),
  ba_token: z.optional(text),
})
export type Answer = z.infer<typeof Answer>

/** From the button. */
export const FromButton = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hello') }),
  z.object({ kind: z.literal('ready') }),
  /** `isBlocked`: the browser opened no popup. */
  z.object({ kind: z.literal('click'), isBlocked: z.boolean() }),
  z.object({ kind: z.literal('answered'), answer: Answer }),
  /** The popup was closed without an answer. */
  z.object({ kind: z.literal('closed') }),
])
export type FromButton = z.infer<typeof FromButton>
