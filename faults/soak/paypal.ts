import { z } from 'zod'
import {
  addressSubject,
  signReference,
} from '../../apps/account-server/src/features/payments/customers/account-reference.rules.ts'
import { trialShopSecret } from '../../scripts/start/settings.ts'
import type { Stage } from '../stage.ts'

const Token = z.object({ access_token: z.string() })
const Made = z.object({ id: z.string(), links: z.array(z.object({ rel: z.string(), href: z.string() })) })

/** Buys at PayPal, as a vendor's shop and its customer do. @returns the subscription's id */
export async function subscribeAtPaypal(
  { sandboxUrl, paypalControl }: Pick<Stage, 'sandboxUrl' | 'paypalControl'>,
  { plan, quantity, email }: { plan: string; quantity: number; email: string },
): Promise<string> {
  const granted = await fetch(`${sandboxUrl}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from('client_shop:secret_shop').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const { access_token: token } = Token.parse(await granted.json())
  const made = await fetch(`${sandboxUrl}/v1/billing/subscriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ plan_id: plan, quantity: String(quantity), custom_id: referenceTo(email) }),
  })
  const { id, links } = Made.parse(await made.json())
  await paypalControl('POST', 'approvals/', {
    link: links.find(({ rel }) => rel === 'approve')?.href,
    answer: 'approve',
  })
  return id
}

/** As the vendor's shop signs it; the clock moves years ahead. */
function referenceTo(email: string): string {
  const expiresAt = new Date(Date.now() + 10 * 365 * 86_400_000)
  return signReference(trialShopSecret, { subject: addressSubject(email), expiresAt })
}
