import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { SubscriptionId } from './subscriptions.ts'

const Offered = z.object({
  list: z.array(
    z.object({
      id: z.uuid(),
      /** When it was begun, epoch seconds. */
      begunAt: z.int(),
    }),
  ),
})
export type Offered = z.infer<typeof Offered>

/**
 * What somebody has begun with the member's address, and nothing was paid for: a trial, or what costs nothing. Only the address says that
 * it is the member's, so the member says whether to add it.
 */
export const listOffered = endpoint({
  method: 'GET',
  path: '/account/offered-subscriptions/',
  summary: 'Trials that were begun with the member’s address',
  support: 'read',
  reply: Offered,
})

/** Adds one, or says that it is somebody else's: it is not offered again then, and the vendor is told. The reply has the others. */
export const answerOffered = endpoint({
  method: 'POST',
  path: '/account/offered-subscriptions/:id/',
  summary: 'Add a trial that was begun with the member’s address, or say that it is not theirs',
  limit: 'provider',
  params: z.object({ id: z.uuid() }),
  body: z.object({ isMine: z.boolean() }),
  reply: Offered,
  problems: { payment_provider_unavailable: 503 },
})

/**
 * Says that a subscription of which the member is the Owner by a typed address alone (`knownByAddress`) is somebody else's. What the same
 * customer of the card provider bought goes with it, orders too; it is not linked again, and the vendor is told.
 */
export const declineSubscription = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/not-mine/',
  summary: 'Say that a subscription is somebody else’s',
  limit: 'provider',
  params: z.object({ sid: SubscriptionId }),
  /** How many subscriptions the member has no more. */
  reply: z.object({ declined: z.int() }),
  problems: {
    not_owner: 403,
    /** More than an address says that it is the member's. */
    purchase_proven: 409,
    /** The member has put a card on file there: it is removed first. */
    own_card_on_file: 409,
    /** Colleagues have seats in it, or are invited. */
    others_hold_seats: 409,
    subscription_change_pending: 409,
    payment_provider_unavailable: 503,
  },
})
