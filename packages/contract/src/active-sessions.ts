import { z } from 'zod'
import { endpoint, freshSignIn } from './endpoint.ts'

/** A browser that is signed in: at the single sign-on, or at the account page alone. */
export const ActiveSession = z.object({
  id: z.string(),
  /** Name of the browser (`Firefox`); empty: unknown. */
  browser: z.string(),
  /** Name of the operating system (`Windows`); empty: unknown. */
  system: z.string(),
  /** The network address that signed in; null: unknown. */
  address: z.string().nullable(),
  /** Epoch seconds: when the person signed in. */
  startedAt: z.int(),
  /** Epoch seconds, to the minute. */
  usedAt: z.int(),
  /** Whether it is the caller's. */
  isCurrent: z.boolean(),
})
export type ActiveSession = z.infer<typeof ActiveSession>

const ActiveSessions = z.object({
  /** The caller's first, then by last use. */
  sessions: z.array(ActiveSession),
  /** False while the single sign-on cannot be reached: its sessions are missing then. */
  isComplete: z.boolean(),
})
export type ActiveSessions = z.infer<typeof ActiveSessions>

export const listSessions = endpoint({
  method: 'GET',
  path: '/account/sessions/',
  summary: 'Browsers in which the member is signed in',
  limit: 'provider',
  reply: ActiveSessions,
})

/** Ended at once here and at the single sign-on, which ends it at all other services. */
export const endSession = endpoint({
  method: 'DELETE',
  path: '/account/sessions/:id/',
  summary: 'Sign out a browser',
  limit: 'provider',
  params: z.object({ id: z.string().min(1).max(100) }),
  reply: ActiveSessions,
  /** Signed out at the account page alone; not at all. */
  problems: { ...freshSignIn, sign_on_unreachable: 503, browser_not_signed_out: 503 },
})

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/account/sessions/end-others/',
  summary: 'Sign out all browsers but this one',
  limit: 'provider',
  reply: ActiveSessions,
  problems: { ...freshSignIn, sign_on_unreachable: 503 },
})

/** A session at the single sign-on. */
export const SsoSession = z.object({
  id: z.string(),
  /** As the browser sent it; empty: it sent none. */
  userAgent: z.string(),
  address: z.string().nullable(),
  /** Epoch seconds. */
  startedAt: z.int(),
  /** Epoch seconds. */
  usedAt: z.int(),
  /** SHA-256, hex, of the tickets with which it opened the account page. */
  tickets: z.array(z.string()),
})
export type SsoSession = z.infer<typeof SsoSession>

const AccessToken = z.string().min(1).max(4096)

/** Served by the sso, for account-server: it proves the member with a token for this purpose. */
export const ssoSessions = endpoint({
  method: 'POST',
  path: '/sso/sessions/',
  summary: 'The sessions of whom the token names',
  access: 'device',
  body: z.object({ accessToken: AccessToken }),
  reply: z.object({ sessions: z.array(SsoSession) }),
  problems: { token_refused: 403 },
})

/** Served by the sso, for account-server: ends one session of whom the token names, or all but one. */
export const ssoEndSessions = endpoint({
  method: 'POST',
  path: '/sso/sessions/end/',
  summary: 'End a session of whom the token names, or all but the one that a ticket opened',
  access: 'device',
  body: z.object({
    accessToken: AccessToken,
    ended: z.discriminatedUnion('which', [
      z.object({ which: z.literal('one'), id: z.string().min(1).max(100) }),
      /** `ticket`: SHA-256, hex. */
      z.object({ which: z.literal('others'), ticket: z.string().regex(/^[0-9a-f]{64}$/) }),
    ]),
  }),
  reply: z.object({}),
  problems: { token_refused: 403 },
})
