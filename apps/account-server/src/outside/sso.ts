import type { EndpointReply } from '@atrium/contract/endpoint.ts'
import { LinkedAccounts, ssoLinkedAccounts, ssoUnlinkAccount } from '@atrium/contract/linked-accounts.ts'
import { ProblemDocument } from '@atrium/contract/problem.ts'
import { Problem } from '@atrium/server-kit/problem.ts'

const timeoutMs = 10_000

type Answer = EndpointReply<typeof ssoLinkedAccounts>

/** Calls of our single sign-on host over the back channel, for the person that a signed token names. */
export interface SsoAccounts {
  /**
   * The linked accounts; none if the host has no such call, because it is a CAS server of the vendor.
   * @throws Problem `accounts_unreachable`
   */
  list(accessToken: string): Promise<Answer>
  /** @throws Problem `not_found`, `last_way_in`, `accounts_unreachable` */
  unlink(accessToken: string, id: string): Promise<Answer>
}

/** @param ssoUrl address of the single sign-on host */
export function ssoAccounts(ssoUrl: string): SsoAccounts {
  return {
    async list(accessToken) {
      const reply = await post(`${ssoUrl}${ssoLinkedAccounts.path}`, { accessToken })
      if (reply.status === 404) return { providers: [], accounts: [] }
      return accountsIn(reply)
    },
    async unlink(accessToken, id) {
      return accountsIn(await post(`${ssoUrl}${ssoUnlinkAccount.path}`, { accessToken, id }))
    },
  }
}

interface Reply {
  status: number
  body: unknown
}

async function post(address: string, body: object): Promise<Reply> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      // Not followed: the token is for this host only.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, body: await response.json().catch(() => undefined) }
  } catch (cause) {
    throw new Problem('accounts_unreachable', { retryAfter: 5, cause })
  }
}

/** Refusals that are the customer's to know. */
const refusals = ['not_found', 'last_way_in']

function accountsIn({ status, body }: Reply): Answer {
  const answer = LinkedAccounts.safeParse(body)
  if (status === 200 && answer.success) return answer.data
  const problem = ProblemDocument.safeParse(body)
  if (problem.success && refusals.includes(problem.data.code)) throw new Problem(problem.data.code)
  throw new Problem('accounts_unreachable', {
    retryAfter: 5,
    cause: new Error(`the single sign-on answered ${status}`),
  })
}
