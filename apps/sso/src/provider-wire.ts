import { endpoint } from '@atrium/contract/endpoint.ts'
import { LocaleCode } from '@atrium/contract/locale.ts'
import { ProviderName } from '@atrium/contract/login-providers.ts'
import { z } from 'zod'
import { PopupProof, proofProblems } from './popup-wire.ts'
import { Destination, Email, EmailCode, Nothing, Password, Service, TicketMethod } from './wire.ts'

const PendingId = z.string().min(1).max(200)

/** Where the browser goes next: to the provider. */
const AtProvider = z.object({ redirectUrl: z.string() })

export const startProvider = endpoint({
  method: 'POST',
  path: '/sso/providers/start/',
  summary: 'Begin a sign-in with a login provider (001 §2)',
  access: 'anyone',
  body: z.object({
    provider: ProviderName,
    service: Service,
    method: TicketMethod.default('GET'),
    locale: LocaleCode.default('en-us'),
  }),
  reply: AtProvider,
  problems: { service_refused: 403, provider_removed: 404, provider_refused: 409, provider_unreachable: 503 },
})

/** What the provider's answer led to. */
export const ProviderOutcome = z.discriminatedUnion('step', [
  z.object({ step: z.literal('signed-in'), ...Destination.shape }),
  /** The identity is new, and belongs to no account until the person proves an address or a password. */
  z.object({
    step: z.literal('confirm'),
    pendingId: z.string(),
    /** The provider's address of the person; empty if it has none. */
    email: z.string(),
    /** The person's name at the provider; empty if it has none. */
    name: z.string(),
    /** Whether the address, which the provider confirms, has an account. Never set for an unconfirmed one. */
    hasAccount: z.boolean(),
  }),
  z.object({ step: z.literal('linked') }),
])
export type ProviderOutcome = z.infer<typeof ProviderOutcome>

export const finishProvider = endpoint({
  method: 'POST',
  path: '/sso/providers/finish/',
  summary: 'Redeem the answer with which a provider sent the browser back, once',
  access: 'anyone',
  body: z.object({
    provider: ProviderName,
    /** The query of the callback address, as the provider wrote it. */
    answer: z.string().max(8192),
  }),
  reply: ProviderOutcome,
  problems: {
    flow_spent: 410,
    provider_removed: 404,
    provider_canceled: 409,
    provider_refused: 409,
    provider_unreachable: 503,
    identity_taken: 409,
  },
})

export const sendProviderCode = endpoint({
  method: 'POST',
  path: '/sso/providers/code/',
  summary: 'Send a six-digit code to the address that a new identity claims; the reply is the same for every address',
  access: 'anyone',
  body: z.object({ pendingId: PendingId, email: Email }),
  reply: Nothing,
  problems: { flow_spent: 410 },
})

export const confirmProviderCode = endpoint({
  method: 'POST',
  path: '/sso/providers/confirm-code/',
  summary: 'Sign in to the account of the address, or to a new one, with the emailed code; links the identity',
  access: 'anyone',
  body: z.object({
    pendingId: PendingId,
    /** The address in the form: a code sent to another one is spent. */
    email: Email,
    code: EmailCode,
  }),
  reply: Destination,
  problems: { flow_spent: 410, wrong_code: 409, code_spent: 410, identity_taken: 409 },
})

export const confirmProviderPassword = endpoint({
  method: 'POST',
  path: '/sso/providers/confirm-password/',
  summary: 'Sign in with email and password, and link the identity to that account',
  access: 'anyone',
  body: z.object({ pendingId: PendingId, email: Email, password: Password }),
  reply: Destination,
  problems: { flow_spent: 410, wrong_credentials: 401, identity_taken: 409 },
})

export const dropIdentity = endpoint({
  method: 'POST',
  path: '/sso/providers/drop/',
  summary: 'Drop a new identity that nobody has confirmed',
  access: 'anyone',
  body: z.object({ pendingId: PendingId }),
  reply: Nothing,
  problems: { flow_spent: 410 },
})

export const startLink = endpoint({
  method: 'POST',
  path: '/sso/link-account/',
  summary: 'Authenticate again, then go to the provider to link it',
  access: 'anyone',
  body: z.object({ ...PopupProof.shape, provider: ProviderName, locale: LocaleCode.default('en-us') }),
  reply: AtProvider,
  problems: { ...proofProblems, provider_removed: 404, provider_refused: 409, provider_unreachable: 503 },
})

export const unlinkAccount = endpoint({
  method: 'POST',
  path: '/sso/unlink-account/',
  summary: 'Authenticate again, and unlink a provider while another way to sign in remains',
  access: 'anyone',
  body: z.object({ ...PopupProof.shape, id: z.string().min(1).max(100) }),
  reply: Nothing,
  problems: { ...proofProblems, last_way_in: 409 },
})
