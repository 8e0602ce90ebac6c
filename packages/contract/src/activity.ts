import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PageQuery } from './page.ts'

/**
 * Who did something in an account. `colleague`: another member of a team; `support`, `vendor`: the vendor's people; `provider`: of
 * payments; `unknown`: whoever entered something wrong.
 */
export const activityActors = ['member', 'colleague', 'support', 'system', 'vendor', 'provider', 'unknown'] as const
export const ActivityActor = z.enum(activityActors)
export type ActivityActor = z.infer<typeof ActivityActor>

/** What can happen in an account, as `area.verb`. */
export const activityActions = [
  'session.started',
  'session.replaced',
  'session.ended',
  'session.ended_by_single_logout',
  'credentials.refused',
  'account.created',
  'password.changed',
  'identity.joined',
  'identity.linked',
  'identity.unlinked',
  'profile.updated',
  'data_export.requested',
  'address.added',
  'address.updated',
  'address.deleted',
  'support_access.granted',
  'support_access.withdrawn',
  'support.started',
  'support.ended',
  'cloud.region_chosen',
  'cloud.user_type_chosen',
  'card.added',
  'card.updated',
  'card.default_set',
  'card.removed',
  'customer.linked',
  'order.changed',
  'order.refunded',
  'order.summary_stored',
  'invoice.stored',
  'order_archive.requested',
  'quote.requested',
  'renewal.dismissed',
  'subscription.created',
  'subscription.claimed',
  'subscription.declined',
  'subscription.changed',
  'subscription.renewed',
  'subscription.payment_failed',
  'subscription.renewal_off',
  'subscription.renewal_on',
  'subscription.ended',
  'subscriptions.transferred',
  'transfer.codes_sent',
  'transfer.codes_refused',
  'seat.invited',
  'seat.invitation_resent',
  'seat.invitation_withdrawn',
  'seat.invitation_lapsed',
  'seat.joined',
  'seat.role_changed',
  'seat.license_activated',
  'seat.license_deactivated',
  'seat.removed',
  'device.activated',
  'device.deactivated',
] as const
export const ActivityAction = z.enum(activityActions)
export type ActivityAction = z.infer<typeof ActivityAction>

/** What the log can be filtered by. */
export const activityAreas = ['sign_in', 'profile', 'payments', 'subscriptions', 'team', 'devices'] as const
export const ActivityArea = z.enum(activityAreas)
export type ActivityArea = z.infer<typeof ActivityArea>

export const ActivityEntry = z.object({
  id: z.string(),
  /** Epoch seconds. */
  at: z.int(),
  who: ActivityActor,
  /** Name or email address of a colleague, or name of a support agent; empty for others, and if it is not known any more. */
  name: z.string(),
  action: ActivityAction,
  /** What it was done to, in the customer's words: a computer, a product, an order number; of a support session, its ticket and reason; empty if the action says it all. */
  subject: z.string(),
  /** The network address; null: none, a colleague's, or not stored any more. */
  address: z.string().nullable(),
})
export type ActivityEntry = z.infer<typeof ActivityEntry>

export const listActivity = endpoint({
  method: 'GET',
  path: '/account/activity/',
  summary: 'What happened in the account, newest first',
  limit: 'provider',
  query: PageQuery.extend({ who: ActivityActor.optional(), area: ActivityArea.optional() }),
  reply: z.object({
    list: z.array(ActivityEntry),
    total: z.int(),
    /** False while the single sign-on cannot be reached: what happened there is missing then. */
    isComplete: z.boolean(),
  }),
})

/** What happened to an account at the single sign-on. */
export const SsoActivity = z.object({
  id: z.string(),
  /** ISO 8601. */
  at: z.iso.datetime(),
  who: z.enum(['member', 'vendor', 'unknown']),
  action: ActivityAction,
  subject: z.string(),
  address: z.string().nullable(),
})
export type SsoActivity = z.infer<typeof SsoActivity>

/** Served by the sso, for account-server: it proves the member with a token for this purpose. */
export const ssoActivity = endpoint({
  method: 'POST',
  path: '/sso/activity/',
  summary: 'The latest activity of whom the token names, newest first',
  access: 'device',
  body: z.object({ accessToken: z.string().min(1).max(4096) }),
  /** At most 500 entries. */
  reply: z.object({ list: z.array(SsoActivity) }),
  problems: { token_refused: 403 },
})
