import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type Stripe from 'stripe'

interface Notice {
  signature: string
  payload: string
  event: { id: string; type: string; data: { object: { id: string } }; request: { id: string | null } }
}

interface Options {
  stripe: Stripe
  events: Stripe.WebhookEndpointCreateParams.EnabledEvent[]
  /** How many deliveries it refuses before it accepts one. */
  refuses?: number
}

/** A merchant's webhook endpoint that records the events it accepts. */
export async function newMerchant({ stripe, events, refuses = 0 }: Options) {
  const taken: Notice[] = []
  let refused = 0
  const server = createServer(async (request, reply) => {
    const payload = await text(request)
    if (refused < refuses) {
      refused += 1
      reply.writeHead(503).end()
      return
    }
    taken.push({ signature: String(request.headers['stripe-signature']), payload, event: JSON.parse(payload) })
    reply.writeHead(200).end()
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const endpoint = await stripe.webhookEndpoints.create({
    url: `http://localhost:${port}/hook`,
    enabled_events: events,
  })

  return {
    endpoint,
    taken,
    refused: () => refused,
    types: () => taken.map(({ event }) => event.type),
    /** Waits until this many events were accepted. */
    async untilTaken(count: number): Promise<void> {
      await until(() => taken.length >= count)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await stripe.webhookEndpoints.del(endpoint.id)
    },
  }
}

/** Waits until a condition holds. @throws Error after three quarters of a minute, which is less than a test's limit */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const last = Date.now() + 45_000
  while (!(await holds())) {
    if (Date.now() > last) throw new Error('did not come')
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}
