import { isWholeText } from '@atrium/server-kit/text.ts'
import Stripe from 'stripe'
import { z } from 'zod'
import { isEvent, type NotAnEvent, notAnEvent, notJson, type ProviderEvent } from '../provider-event.ts'
import { wholeList } from './lists.ts'

/** Maximum difference in seconds between an event's signed time and now. */
const tolerance = 300

/** PostgreSQL stores neither NUL nor lone surrogates. */
const Text = z.string().max(255).refine(isWholeText)

const Event = z.object({
  id: Text.min(1),
  type: Text.min(1),
  data: z.object({
    object: z.object({
      id: Text.default(''),
      object: Text.default(''),
    }),
  }),
})

/** A thin event names its object, if it has one, and carries no copy of it. */
const ThinEvent = z.object({
  object: z.literal('v2.core.event'),
  id: Text.min(1),
  type: Text.min(1),
  related_object: z.object({ id: Text, type: Text }).nullish(),
})

/** Events that the card provider has stored, for a month. */
export function eventCalls(stripe: Stripe) {
  return {
    /** What happened in a time, whether or not a webhook told it. Oldest first. */
    async eventsBetween({ from, to }: { from: Date; to: Date }): Promise<ProviderEvent[]> {
      const created = { gte: Math.floor(from.getTime() / 1000), lte: Math.ceil(to.getTime() / 1000) }
      const all = await wholeList((page) => stripe.events.list({ created, ...page }))
      return all.reverse().map(eventFrom).filter(isEvent)
    },
  }
}

/**
 * One time in plain digits, and signatures by scheme. The SDK would accept more than the provider sends, and use the last of
 * two times.
 */
const header = /^t=(\d{1,12})(,v\d+=[0-9a-f]+)+$/

/** Decodes strictly: a byte order mark is part of the signed body, and invalid UTF-8 is refused. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Verifies and parses an event of the card provider (`Stripe-Signature`: HMAC of time and body). While a secret is rotated,
 * both are valid.
 * @returns undefined if no secret matches, or the time is off; a reason if it is signed, and is not an event
 */
export function readCardEvent(
  body: Buffer,
  { signature, secrets, now }: { signature: string; secrets: readonly string[]; now: Date },
): ProviderEvent | NotAnEvent | undefined {
  const [, time] = header.exec(signature) ?? []
  const text = textOf(body)
  if (time === undefined || text === undefined) return undefined
  if (Number(time) > Math.trunc(now.getTime() / 1000) + tolerance) return undefined
  if (!secrets.some((secret) => isSigned(text, secret, { signature, now }))) return undefined
  try {
    return eventFrom(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return notJson
    throw error
  }
}

function eventFrom(given: unknown): ProviderEvent | NotAnEvent {
  const thin = ThinEvent.safeParse(given)
  if (thin.success) {
    const { id, type, related_object: about } = thin.data
    return { id, type, objectType: about?.type ?? '', objectId: about?.id ?? '' }
  }
  const event = Event.safeParse(given)
  if (!event.success) return notAnEvent(event.error)
  const { id, type, data } = event.data
  return { id, type, objectType: data.object.object, objectId: data.object.id }
}

function textOf(body: Buffer): string | undefined {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}

function isSigned(body: string, secret: string, { signature, now }: { signature: string; now: Date }): boolean {
  try {
    const { signature: verifier } = Stripe.webhooks
    if (!verifier) throw new Error('the SDK cannot verify signatures')
    // The SDK's own parsing throws for thin events.
    verifier.verifyHeader(body, signature, secret, tolerance, undefined, now.getTime())
    return true
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
    throw error
  }
}
