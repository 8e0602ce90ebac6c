import Stripe from 'stripe'
import { z } from 'zod'

export type Sandbox = ReturnType<typeof sandboxAt>

interface Fault {
  kind: 'delay' | 'reset' | 'error' | 'html' | 'rate_limit' | 'drop' | 'reorder' | 'repeat'
  /** Path below `/v1`, or type of an event. */
  pattern: string
  times?: number
  milliseconds?: number
}

/** The providers’ sandbox, with the official SDK to inspect it. */
export function sandboxAt({ port, url }: { port: number; url: string }) {
  const stripe = new Stripe('sk_test_sandbox', { host: 'localhost', port, protocol: 'http', telemetry: false })

  async function control(method: string, path: string, body?: object) {
    const reply = await fetch(`${url}/cards/control/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`the sandbox answered ${reply.status}: ${await reply.text()}`)
  }

  return {
    url,
    stripe,
    paypal: paypalAt(url),
    /** Settings of a server with these providers. */
    settings: {
      STRIPE_API_URL: url,
      STRIPE_SCRIPT_URL: `${url}/cards/js/endive/stripe.js`,
      PAYPAL_API_URL: url,
      PAYPAL_ROOTS: `${url}/paypal/certs/root.pem`,
    },
    misbehave: ({ times = 1, milliseconds = 0, ...fault }: Fault) =>
      control('POST', 'faults/', { ...fault, times, milliseconds }),
    behave: () => control('DELETE', 'faults/'),
    sendEventsTo: (webhookUrl: string, secret: string) =>
      control('PUT', 'webhook-endpoints/', { url: webhookUrl, secret, enabledEvents: ['*'] }),
    /** By the providers' clock, which the tests before have moved. */
    async now(): Promise<Date> {
      const reply = await fetch(`${url}/clock/control/`)
      return new Date(z.object({ now: z.string() }).parse(await reply.json()).now)
    },
    /** Moves the providers' clock to a moment: what is due until then is billed. */
    async advanceTo(to: Date) {
      const body = JSON.stringify({ to: to.toISOString() })
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(`${url}/clock/control/advance/`, { method: 'POST', headers, body })
      if (!reply.ok) throw new Error(`the sandbox answered ${reply.status}: ${await reply.text()}`)
    },
    /** Completes or fails the bank's authentication, as the cardholder. */
    async answerBank(intentId: string, answer: 'complete' | 'fail') {
      const intents = intentId.startsWith('pi_') ? stripe.paymentIntents : stripe.setupIntents
      const { next_action: action } = await intents.retrieve(intentId)
      const token = /authenticate\/(\w+)/.exec(JSON.stringify(action))?.[1]
      await fetch(`${url}/cards/authenticate/${token}`, {
        method: 'POST',
        headers: { origin: url },
        body: new URLSearchParams({ answer }),
        redirect: 'manual',
      })
    },
  }
}

/** PayPal's API as a vendor's own program calls it, and what only the sandbox has. */
function paypalAt(url: string) {
  let token: string | undefined

  async function send(method: string, path: string, body: object | undefined, headers: Record<string, string>) {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`the sandbox answered ${reply.status}: ${text}`)
    return z.record(z.string(), z.unknown()).parse(text === '' ? {} : JSON.parse(text))
  }

  async function signIn(): Promise<string> {
    const authorization = `Basic ${Buffer.from('client_test:secret_test').toString('base64')}`
    const reply = await fetch(`${url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    })
    return z.object({ access_token: z.string() }).parse(await reply.json()).access_token
  }

  return {
    async call(method: string, path: string, body?: object) {
      token ??= await signIn()
      return send(method, path, body, { authorization: `Bearer ${token}`, prefer: 'return=representation' })
    },
    control: (method: string, path: string, body?: object) => send(method, `/paypal/control/${path}`, body, {}),
  }
}
