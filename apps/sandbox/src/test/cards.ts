import Stripe from 'stripe'
import { newWorld, origin } from './world.ts'

/** A sandbox that listens on a port, the provider's SDK, and a clock that can be advanced. */
export async function newCardsWorld() {
  let ahead = 0
  const clock = () => new Date(Date.now() + ahead)
  const world = await newWorld(clock)
  const address = new URL(await world.app.listen({ port: 0, host: 'localhost' }))
  const client = (key: string) =>
    new Stripe(key, {
      host: address.hostname,
      port: address.port,
      protocol: 'http',
      telemetry: false,
      maxNetworkRetries: 0,
    })

  return {
    ...world,
    address: address.origin,
    stripe: client('sk_test_sandbox'),
    browser: client('pk_test_sandbox'),
    retrying: new Stripe('sk_test_sandbox', { host: address.hostname, port: address.port, protocol: 'http' }),
    /** Advances the clock. */
    pass(milliseconds: number) {
      ahead += milliseconds
    },
    raw: rawCaller(address.origin),
    /** Submits a form of a sandbox page. */
    press(path: string, form: string) {
      return world.app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
        payload: form,
      })
    },
    refused,
  }
}

/** Calls the API without the SDK. */
function rawCaller(origin: string) {
  return async (method: string, path: string, form = '', headers: Record<string, string> = {}) => {
    const reply = await fetch(origin + path, {
      method,
      headers: {
        authorization: 'Bearer sk_test_sandbox',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      ...(method === 'POST' && { body: form }),
    })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, text, json: text.startsWith('{') ? JSON.parse(text) : {} }
  }
}

/** Returns the error of an SDK call. */
async function refused(call: Promise<unknown>) {
  try {
    await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error
    throw error
  }
  throw new Error('was not refused')
}
