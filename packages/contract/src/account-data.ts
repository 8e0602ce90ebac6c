import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Rows by noun, in the names of their columns. */
export const AccountData = z.record(z.string(), z.array(z.record(z.string(), z.unknown())))
export type AccountData = z.infer<typeof AccountData>

/** Served by the sso, for account-server: it proves the member with a token for this purpose. */
export const ssoAccountData = endpoint({
  method: 'POST',
  path: '/sso/account-data/',
  summary: 'Everything that is stored about whom the token names, without secrets',
  access: 'device',
  body: z.object({ accessToken: z.string().min(1).max(4096) }),
  reply: z.object({ data: AccountData }),
  problems: { token_refused: 403 },
})
