import { z } from 'zod'
import { endpoint } from './endpoint.ts'

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
  params: z.object({ id: z.uuid() }),
  body: z.object({ isMine: z.boolean() }),
  reply: Offered,
  problems: { payment_provider_unavailable: 503 },
})
