import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ProviderName } from './login-providers.ts'

/** An identity at a login provider that signs in to the account. */
export const LinkedAccount = z.object({
  id: z.string(),
  provider: ProviderName,
  /** The person's address at the provider when it was linked; null: the provider passed none on. */
  email: z.string().nullable(),
  /** Name of the institution, in the education federation. */
  institution: z.string().nullable(),
  /** Epoch seconds. */
  linkedAt: z.int(),
  /** Whether another way to sign in remains without it: a password, or another linked account. */
  canUnlink: z.boolean(),
})
export type LinkedAccount = z.infer<typeof LinkedAccount>

export const LinkedAccounts = z.object({
  /** The providers that can be linked. */
  providers: z.array(ProviderName),
  /** In the order in which they were linked. */
  accounts: z.array(LinkedAccount),
})
export type LinkedAccounts = z.infer<typeof LinkedAccounts>

export const readLinkedAccounts = endpoint({
  method: 'GET',
  path: '/account/linked-accounts/',
  summary: 'Login providers that sign in to the account, and those that can be linked (001 §2)',
  limit: 'provider',
  reply: LinkedAccounts,
  problems: { accounts_unreachable: 503 },
})

/** A signed token (EdDSA, 60 s, audience: the sso) for the popups that link and unlink a provider. */
export const createAccountLinkToken = endpoint({
  method: 'POST',
  path: '/account/account-link-token/',
  summary: 'Create a token for the popups that link and unlink a login provider',
  reply: z.object({ accessToken: z.string() }),
})

/** Served by the sso, for account-server: it proves the member with a token for this purpose. */
export const ssoLinkedAccounts = endpoint({
  method: 'POST',
  path: '/sso/linked-accounts/',
  summary: 'The linked accounts of whom the token names',
  access: 'device',
  body: z.object({ accessToken: z.string().min(1).max(4096) }),
  reply: LinkedAccounts,
  problems: { token_refused: 403 },
})
