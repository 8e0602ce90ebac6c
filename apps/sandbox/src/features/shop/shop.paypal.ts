import { z } from 'zod'
import type { ownFetch } from './own-requests.ts'

const Token = z.object({ access_token: z.string() })
const Plans = z.object({
  plans: z.array(z.object({ id: z.string(), status: z.string(), description: z.string().default('') })).default([]),
})
const Made = z.object({ links: z.array(z.object({ rel: z.string(), href: z.string() })) })
const Refused = z.object({
  message: z.string().default(''),
  details: z.array(z.object({ description: z.string() })).default([]),
})

const pageSize = 20

interface Order {
  /** Sent twice, it is one purchase. */
  order: string
  planId: string
  quantity: number
  /** Whose the purchase is: the signed reference, or the address that was typed. */
  customId: string
  returnUrl: string
  cancelUrl: string
}

/** What PayPal refuses, in a sentence for the buyer. */
export class RefusedByPaypal extends Error {}

/** The shop at PayPal, over its public API. */
export function paypalShop(fetchOwn: ReturnType<typeof ownFetch>) {
  async function call<Answer>(
    path: string,
    schema: z.ZodType<Answer>,
    { body, requestId }: { body?: object; requestId?: string } = {},
  ): Promise<Answer> {
    const reply = await fetchOwn(`http://paypal${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${await accessToken()}`,
        'content-type': 'application/json',
        ...(requestId && { 'paypal-request-id': requestId }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await reply.json()
    if (reply.ok) return schema.parse(answer)
    const { message, details } = Refused.parse(answer)
    throw new RefusedByPaypal(details[0]?.description ?? message)
  }

  async function accessToken(): Promise<string> {
    const reply = await fetchOwn('http://paypal/v1/oauth2/token', {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from('client_shop:secret_shop').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    })
    return Token.parse(await reply.json()).access_token
  }

  return {
    /** Plans on sale, by the name of their price: `{code}-{term}-{currency}`. */
    async plans(): Promise<Map<string, string>> {
      const sold = new Map<string, string>()
      for (let page = 1; ; page += 1) {
        const { plans } = await call(`/v1/billing/plans?page_size=${pageSize}&page=${page}`, Plans)
        for (const { id, status, description } of plans) if (status === 'ACTIVE') sold.set(description, id)
        if (plans.length < pageSize) return sold
      }
    },

    /** @returns where the buyer approves */
    async subscribe({ order, planId, quantity, customId, returnUrl, cancelUrl }: Order): Promise<string> {
      const context = { return_url: returnUrl, cancel_url: cancelUrl, user_action: 'SUBSCRIBE_NOW' }
      const body = {
        plan_id: planId,
        quantity: String(quantity),
        custom_id: customId,
        application_context: context,
      }
      const { links } = await call('/v1/billing/subscriptions', Made, { body, requestId: order })
      return links.find(({ rel }) => rel === 'approve')?.href ?? returnUrl
    },
  }
}
