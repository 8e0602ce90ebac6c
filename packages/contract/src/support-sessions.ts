import { z } from 'zod'
import { EmailAddress } from './email.ts'
import { endpoint } from './endpoint.ts'
import { RequiredLine } from './text.ts'

/** Below it, the support cookie alone says who calls; everywhere else, the member's session cookie alone. */
export const supportPath = '/support'

/** Lengths, in characters. */
export const supportLimits = { email: 254, reason: 500, ticket: 50 } as const

/** A support agent who is signed in to the member's account now. */
export const SupportSession = z.object({
  id: z.string(),
  agentName: z.string(),
  reason: z.string(),
  /** The ticket's number in the vendor's own system. */
  ticket: z.string(),
  /** Epoch seconds. */
  startedAt: z.int(),
  /** Epoch seconds. */
  endsAt: z.int(),
})
export type SupportSession = z.infer<typeof SupportSession>

export const SupportSessions = z.object({
  /** Epoch seconds of the end of the current grant; 0 if there is none. */
  grantedUntil: z.int(),
  /** In the order of their start. */
  sessions: z.array(SupportSession),
})
export type SupportSessions = z.infer<typeof SupportSessions>

/** The page polls it every five seconds while it is visible and a grant runs. */
export const listSupportSessions = endpoint({
  method: 'GET',
  path: '/account/support-sessions/',
  summary: 'Support agents who are signed in to the account now',
  isPolled: true,
  reply: SupportSessions,
})

/** Also succeeds if it has ended meanwhile. */
export const endSupportSession = endpoint({
  method: 'DELETE',
  path: '/account/support-sessions/:id/',
  summary: 'End a support session of the account',
  params: z.object({ id: z.uuid() }),
  reply: SupportSessions,
})

/** What a support agent fills in. */
export const SupportRequest = z.object({
  /** The exact address of the account. */
  email: EmailAddress(),
  reason: RequiredLine(supportLimits.reason, 'support_reason_required'),
  ticket: RequiredLine(supportLimits.ticket, 'support_ticket_required'),
})

/**
 * Starts a support session for the agent whom the support cookie names, and who signed in within the last ten minutes. It uses that
 * sign-in up. Ends after 60 minutes at most, and never after the grant.
 */
export const startSupportSession = endpoint({
  method: 'POST',
  path: '/support/sessions/',
  summary: 'Sign in to the account of a member who lets support in',
  access: 'anyone',
  body: SupportRequest,
  /** A path. */
  reply: z.object({ redirectUrl: z.string() }),
  /** One answer, whether nobody has the address, it is not verified, or there is no grant. */
  problems: { support_not_granted: 404 },
})

export const leaveSupport = endpoint({
  method: 'POST',
  path: '/support/leave/',
  summary: 'End the support session of the agent whom the support cookie names',
  access: 'anyone',
  body: z.object({}),
  /** A path. */
  reply: z.object({ redirectUrl: z.string() }),
})
