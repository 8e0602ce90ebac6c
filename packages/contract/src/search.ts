import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Line } from './text.ts'

/** The lists that are searched, by what they are lists of. */
export const hitGroups = {
  orders: ['order', 'offline_order'],
  subscriptions: ['subscription', 'offline_subscription'],
  licenses: ['license'],
  devices: ['email_device', 'key_device'],
  users: ['user'],
} as const
export type HitKind = (typeof hitGroups)[keyof typeof hitGroups][number]

/** What a search found in one of the caller's lists. */
const SearchHit = z.object({
  kind: z.enum(Object.values(hitGroups).flat()),
  /** By which its list finds it: the order number, the id of the subscription or license, the name of the computer, the user's address. */
  id: z.string(),
  /** The product; of an order its first line. */
  name: z.string(),
  /** Of a license, its product line; of a device, the opaque id of the key that activated it; of a user, the subscription; else empty. */
  place: z.string(),
  /** ISO 8601: when it was ordered, began, was issued, was last used, or was invited. */
  date: z.string(),
})
export type SearchHit = z.infer<typeof SearchHit>

/** The most hits of each group. */
export const mostHits = 5

/**
 * Searches the caller's orders, subscriptions, licenses and devices, and the users of the subscriptions that they manage, at once. Key
 * material is not searched.
 */
export const searchAccount = endpoint({
  method: 'GET',
  path: '/account/search/',
  summary: 'Orders, subscriptions, licenses, devices and users by number, name or id',
  limit: 'search',
  query: z.object({ keyWord: Line(100).min(2) }),
  support: 'read',
  /** The newest of each group. */
  reply: z.object({
    orders: z.array(SearchHit),
    subscriptions: z.array(SearchHit),
    licenses: z.array(SearchHit),
    devices: z.array(SearchHit),
    users: z.array(SearchHit),
  }),
})
