import Stripe from 'stripe'
import { z } from 'zod'
import type { ProviderEvent } from './cards.ts'

/** Seconds by which a signed event may be older or newer than now. */
const tolerance = 300

const Event = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  data: z.object({
    object: z.object({
      id: z.string().max(255).default(''),
      metadata: z.record(z.string(), z.string()).nullish(),
    }),
  }),
})

/**
 * An event of the card provider, from the bytes that came (provider’s rule: `Stripe-Signature`, HMAC of time and body).
 * While a secret is rotated, both are good.
 * @returns nothing where no secret signed it, or not about now
 */
export function readCardEvent(
  body: Buffer,
  { signature, secrets, now }: { signature: string; secrets: readonly string[]; now: Date },
): ProviderEvent | undefined {
  const seconds = Math.trunc(now.getTime() / 1000)
  if (Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]) > seconds + tolerance) return undefined
  for (const secret of secrets) {
    const event = Event.safeParse(signedBy(secret, body, { signature, now }))
    if (!event.success) continue
    const { id, type, data } = event.data
    return { id, type, objectId: data.object.id, attemptId: data.object.metadata?.attemptId }
  }
  return undefined
}

function signedBy(secret: string, body: Buffer, { signature, now }: { signature: string; now: Date }): unknown {
  try {
    return Stripe.webhooks.constructEvent(body, signature, secret, tolerance, undefined, now.getTime())
  } catch (error) {
    // Signed, but no JSON: as good as nothing.
    if (error instanceof SyntaxError || error instanceof Stripe.errors.StripeSignatureVerificationError)
      return undefined
    throw error
  }
}
