import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { SeatType } from './seat-types.ts'
import { SubscriptionId } from './subscriptions.ts'

/** Of the link in an invitation: 256 bits, base64url. */
export const InvitationToken = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/** What can become of an invitation; only an open one can be accepted. */
export const InvitationState = z.enum([
  'open',
  'accepted',
  /** The person was removed, or the invitation taken back. */
  'withdrawn',
  /** A later email has the valid link. */
  'replaced',
  'lapsed',
  /** The subscription gives no access any more. */
  'ended',
  /** There is no such link. */
  'unknown',
])
export type InvitationState = z.infer<typeof InvitationState>

export const Invitation = z.object({
  state: InvitationState,
  /** Empty: unknown. */
  appName: z.string(),
  /** The address that may accept it. */
  email: z.string(),
  /** Who has invited; empty if the link cannot be accepted. */
  inviterName: z.string(),
  inviterEmail: z.string(),
  type: SeatType,
  /** ISO 8601, or empty. */
  expiresAt: z.string(),
})
export type Invitation = z.infer<typeof Invitation>

/** What an invitation's link is for. It changes nothing: mail scanners open links. */
export const readInvitation = endpoint({
  method: 'POST',
  path: '/account/invitations/lookup/',
  summary: 'What an invitation is for',
  access: 'anyone',
  body: z.object({ token: InvitationToken }),
  reply: Invitation,
})

/** Accepts an invitation, signed in with exactly the invited address. */
export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/account/invitations/accept/',
  summary: 'Accept an invitation',
  body: z.object({ token: InvitationToken }),
  reply: z.object({ sid: SubscriptionId, appName: z.string() }),
  problems: {
    /** What has become of it. */
    invitation_void: { status: 409, data: z.object({ state: InvitationState }) },
    /** It is for another address, or the address of this account is not verified. */
    other_address: 403,
    already_member: 409,
    no_seat: 409,
  },
})
