import { verify, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { until } from './merchant.ts'
import type { PaypalWorld } from './paypal.ts'
import { origin } from './world.ts'

interface Notice {
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: an event of another system, compared by the tests themselves
  event: any
}

interface Options {
  events: string[]
  /** How many deliveries it refuses before it accepts one. */
  refuses?: number
}

/** A merchant's listener that records the events it accepts. */
export async function newReceiver(world: PaypalWorld, { events, refuses = 0 }: Options) {
  const taken: Notice[] = []
  let refused = 0
  const server = createServer(async (request, reply) => {
    const body = await text(request)
    if (refused < refuses) {
      refused += 1
      reply.writeHead(503).end()
      return
    }
    taken.push({ headers: request.headers, body, event: JSON.parse(body) })
    reply.writeHead(200).end()
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const { json: webhook } = await world.post('/v1/notifications/webhooks', {
    url: `http://localhost:${port}/hook`,
    event_types: events.map((name) => ({ name })),
  })

  return {
    webhook,
    taken,
    refused: () => refused,
    types: () => taken.map(({ event }) => event.event_type),
    untilTaken: (count: number) => until(() => taken.length >= count),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await world.send('DELETE', `/v1/notifications/webhooks/${webhook.id}`)
    },
  }
}

/** Checks a signature with nothing of the sandbox but its root certificate. @returns why it is wrong */
export async function signatureFault(world: PaypalWorld, { headers, body }: Notice, webhookId: string) {
  const certificates = await load(world, String(headers['paypal-cert-url']).replace(origin, ''))
  const [root] = await load(world, '/paypal/certs/root.pem')
  const [leaf, intermediate] = certificates
  if (!leaf || !intermediate || !root) return 'no chain'
  if (!leaf.checkIssued(intermediate) || !leaf.verify(intermediate.publicKey))
    return 'the leaf is not of the intermediate'
  if (!intermediate.checkIssued(root) || !intermediate.verify(root.publicKey))
    return 'the intermediate is not of the root'
  if (leaf.ca || !intermediate.ca || !root.ca || !root.verify(root.publicKey)) return 'wrong authorities'
  if (leaf.checkHost('messageverificationcerts.paypal.com') === undefined) return 'wrong name'
  const now = new Date()
  if (new Date(leaf.validFrom) > now || new Date(leaf.validTo) < now) return 'not valid now'

  const { 'paypal-transmission-id': id, 'paypal-transmission-time': time } = headers
  const signed = Buffer.from(`${id}|${time}|${webhookId}|${checksum(Buffer.from(body))}`)
  const signature = Buffer.from(String(headers['paypal-transmission-sig']), 'base64')
  return verify('RSA-SHA256', signed, leaf.publicKey, signature) ? undefined : 'wrong signature'
}

async function load(world: PaypalWorld, path: string): Promise<X509Certificate[]> {
  const pem = await (await fetch(world.address + path)).text()
  return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (one) => new X509Certificate(one),
  )
}

/** CRC-32 bit by bit, as the standard describes it. */
function checksum(bytes: Uint8Array): number {
  let register = 0xffffffff
  for (const byte of bytes) {
    register ^= byte
    for (let bit = 0; bit < 8; bit += 1) register = register & 1 ? (register >>> 1) ^ 0xedb88320 : register >>> 1
  }
  return (register ^ 0xffffffff) >>> 0
}
