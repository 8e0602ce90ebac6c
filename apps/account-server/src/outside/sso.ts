import type { EndpointReply } from '@atrium/contract/endpoint.ts'
import { LinkedAccounts, ssoLinkedAccounts } from '@atrium/contract/linked-accounts.ts'
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
}

/** @param ssoUrl address of the single sign-on host */
export function ssoAccounts(ssoUrl: string): SsoAccounts {
  return {
    async list(accessToken) {
      const reply = await post(`${ssoUrl}${ssoLinkedAccounts.path}`, { accessToken })
      if (reply.status === 404) return { providers: [], accounts: [] }
      return accountsIn(reply)
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

function accountsIn({ status, body }: Reply): Answer {
  const answer = LinkedAccounts.safeParse(body)
  if (status === 200 && answer.success) return answer.data
  throw new Problem('accounts_unreachable', {
    retryAfter: 5,
    cause: new Error(`the single sign-on answered ${status}`),
  })
}
