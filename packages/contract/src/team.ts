import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Flag } from './flag.ts'
import { PageQuery } from './page.ts'

/** Type codes of subscription users, 001 §4. */
export const seatTypes = { member: 0, admin: 1, owner: 2, setupAdmin: 3 } as const
export const SeatType = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
export type SeatType = z.infer<typeof SeatType>

/** Subscription user, 001 §3. */
export const SubscriptionUser = z.object({
  email: z.string(),
  type: SeatType,
  status: z.enum(['Pending', 'Accepted']),
  /** 1: holds a license. */
  isUse: Flag,
  distributionUuid: z.uuid(),
})
export type SubscriptionUser = z.infer<typeof SubscriptionUser>

/** Users of a subscription (001 §7: sid, page, pageSize), for those who manage it; the Owner first. */
export const listSubscriptionUsers = endpoint({
  method: 'GET',
  path: '/account/subscription-users/',
  summary: 'Users of a subscription',
  query: PageQuery.extend({ sid: z.string().min(1).max(64) }),
  reply: z.object({
    subscribeDetail: z.object({
      appName: z.string(),
      appCode: z.string(),
      orgCode: z.string(),
      total: z.int(),
      /** The caller's own type. */
      userType: SeatType,
      /** Seats paid. */
      userCount: z.int(),
      /** Seats taken: used, or held by invitations. */
      joinCount: z.int(),
      /** How many of them are held by invitations. */
      heldCount: z.int(),
    }),
    allData: z.array(SubscriptionUser),
  }),
  problems: { not_manager: 403 },
})
