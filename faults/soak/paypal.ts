import { z } from 'zod'
import {
  addressSubject,
  signReference,
} from '../../apps/account-server/src/features/payments/customers/account-reference.rules.ts'
import { trialShopSecret } from '../../scripts/start/settings.ts'
import type { Stage } from '../stage.ts'

const Token = z.object({ access_token: z.string() })
const Made = z.object({ id: z.string(), links: z.array(z.object({ rel: z.string(), href: z.string() })) })

interface Buying {
  plan: string
  quantity: number
  email: string
  /** Left out: at once. */
  beginsAt?: Date
}

/** Buys at PayPal, as a vendor's shop and its customer do. @returns the subscription's id */
export async function subscribeAtPaypal(
  stage: Pick<Stage, 'sandboxUrl' | 'paypalControl'>,
  { plan, quantity, email, beginsAt }: Buying,
): Promise<string> {
  const body = {
    ...{ plan_id: plan, quantity: String(quantity), custom_id: referenceTo(email) },
    ...(beginsAt && { start_time: beginsAt.toISOString() }),
  }
  const { id, links } = Made.parse(await callPaypal(stage, { method: 'POST', path: '/v1/billing/subscriptions', body }))
  await stage.paypalControl('POST', 'approvals/', {
    link: links.find(({ rel }) => rel === 'approve')?.href,
    answer: 'approve',
  })
  return id
}

const Standing = z.object({ status: z.string() })

/** `ACTIVE`, `SUSPENDED`, `CANCELLED` and so on. */
export async function statusAtPaypal(stage: Pick<Stage, 'sandboxUrl'>, id: string): Promise<string> {
  return Standing.parse(await callPaypal(stage, { method: 'GET', path: `/v1/billing/subscriptions/${id}` })).status
}

interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: object
}

async function callPaypal({ sandboxUrl }: Pick<Stage, 'sandboxUrl'>, { method, path, body }: Call): Promise<unknown> {
  const granted = await fetch(`${sandboxUrl}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from('client_shop:secret_shop').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const { access_token: token } = Token.parse(await granted.json())
  const reply = await fetch(sandboxUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return reply.json()
}

/** As the vendor's shop signs it; the clock moves years ahead. */
function referenceTo(email: string): string {
  const expiresAt = new Date(Date.now() + 10 * 365 * 86_400_000)
  return signReference(trialShopSecret, { subject: addressSubject(email), expiresAt })
}
