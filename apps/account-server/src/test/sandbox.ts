import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { newTestDatabase } from '@atrium/server-kit/test-database.ts'
import Stripe from 'stripe'
import { z } from 'zod'

/** Started as a process, since apps may not import each other. */
const program = join(import.meta.dirname, '../../../sandbox/src/main.ts')

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

interface Fault {
  kind: 'delay' | 'reset' | 'error' | 'html' | 'rate_limit' | 'drop' | 'reorder' | 'repeat'
  /** Path below `/v1`, or type of an event. */
  pattern: string
  times?: number
  milliseconds?: number
}

/** The card provider's sandbox with its own database and ports, and the official SDK to inspect it. */
export async function startSandbox({ publicUrl = 'http://localhost:3000' }: { publicUrl?: string } = {}) {
  const database = await newTestDatabase({ template: 'atrium_test_empty', migrate: async () => undefined })
  const [port, smtpPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const child = fork(program, {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      ATRIUM_SANDBOX_PORT: String(port),
      SANDBOX_SMTP_PORT: String(smtpPort),
      PUBLIC_URL: publicUrl,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await ready(child)
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
    async [Symbol.asyncDispose]() {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exited
      await database[Symbol.asyncDispose]()
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

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Error('The sandbox did not start.')))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, 'localhost', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
