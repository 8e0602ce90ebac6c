import { type AccountData, ssoAccountData } from '@atrium/contract/account-data.ts'
import { type SsoSession, ssoEndSessions, ssoSessions } from '@atrium/contract/active-sessions.ts'
import { type SsoActivity, ssoActivity } from '@atrium/contract/activity.ts'
import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import { type LinkedAccounts, ssoLinkedAccounts } from '@atrium/contract/linked-accounts.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { z } from 'zod'

const timeoutMs = 10_000

/** Calls of our single sign-on host over the back channel, for the person that a signed token names. */
export interface SsoAccounts {
  /**
   * The linked accounts; none if the host has no such call, because it is a CAS server of the vendor.
   * @throws Problem `accounts_unreachable`
   */
  list(accessToken: string): Promise<LinkedAccounts>
  /** Its sessions of the person; undefined if the host has no such call. @throws Problem `sign_on_unreachable` */
  sessions(accessToken: string): Promise<readonly SsoSession[] | undefined>
  /** What happened to the account there; undefined if the host has no such call. @throws Problem `sign_on_unreachable` */
  activity(accessToken: string): Promise<readonly SsoActivity[] | undefined>
  /** Everything that it stores about the person; undefined if the host has no such call. @throws Problem `sign_on_unreachable` */
  accountData(accessToken: string): Promise<AccountData | undefined>
  /** Ends sessions there; nothing happens if the host has no such call. @throws Problem `sign_on_unreachable` */
  endSessions(accessToken: string, ended: EndedSessions): Promise<void>
}

export type EndedSessions = EndpointInput<typeof ssoEndSessions>['body']['ended']

/** @param ssoUrl address of the single sign-on host */
export function ssoAccounts(ssoUrl: string): SsoAccounts {
  return {
    async list(accessToken) {
      const linked = await callSso(ssoUrl, ssoLinkedAccounts, { accessToken }, 'accounts_unreachable')
      return linked ?? { providers: [], accounts: [] }
    },
    async sessions(accessToken) {
      return (await callSso(ssoUrl, ssoSessions, { accessToken }, 'sign_on_unreachable'))?.sessions
    },
    async activity(accessToken) {
      return (await callSso(ssoUrl, ssoActivity, { accessToken }, 'sign_on_unreachable'))?.list
    },
    async accountData(accessToken) {
      return (await callSso(ssoUrl, ssoAccountData, { accessToken }, 'sign_on_unreachable'))?.data
    },
    async endSessions(accessToken, ended) {
      await callSso(ssoUrl, ssoEndSessions, { accessToken, ended }, 'sign_on_unreachable')
    },
  }
}

/** @returns undefined if the host has no such call @throws Problem with the code, for any answer but the endpoint's */
async function callSso<Answer>(
  ssoUrl: string,
  { path, reply }: { path: string; reply: z.ZodType<Answer> },
  body: object,
  unreachable: string,
): Promise<Answer | undefined> {
  const answer = await post(`${ssoUrl}${path}`, body).catch((cause: unknown) => {
    throw new Problem(unreachable, { retryAfter: 5, cause })
  })
  if (answer.status === 404) return undefined
  const parsed = reply.safeParse(answer.body)
  if (answer.status === 200 && parsed.success) return parsed.data
  const cause = new Error(`the single sign-on answered ${answer.status}`)
  throw new Problem(unreachable, { retryAfter: 5, cause })
}

interface Reply {
  status: number
  body: unknown
}

async function post(address: string, body: object): Promise<Reply> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // Not followed: the token is for this host only.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  return { status: response.status, body: await response.json().catch(() => undefined) }
}
