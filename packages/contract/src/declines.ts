import { z } from 'zod'

/**
 * Why a card was declined, as far as a customer may know it. `bank_declined` covers what is the bank's to explain: a lost or stolen card, a
 * suspected fraud, a limit. `unknown`: the provider gives no reason.
 */
export const declineReasons = [
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'bank_declined',
  'authentication_failed',
  'processing_error',
  'unknown',
] as const
export type DeclineReason = (typeof declineReasons)[number]

/** Data of the problem `card_refused`. */
export const Decline = z.object({ reason: z.enum(declineReasons) })

/** The bank or the provider refused the card: `detail` is the provider's own sentence, in English. Nothing has changed. */
export const cardRefused = { status: 402, data: Decline } as const
