import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { cardProvider } from './card-provider.ts'

const update = { paymentMethodId: 'pm_1', operationId: 'operation-1' }
const holder = {
  firstName: 'Ada',
  lastName: 'Lindqvist',
  address: { line1: '', city: '', state: '', country: '', postalCode: '' },
}

async function providerThat(answer: (socket: Socket, request: string) => void) {
  const sockets = new Set<Socket>()
  let requests = 0
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', (request) => {
      requests += 1
      answer(socket, request.toString())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    port,
    requests: () => requests,
    cards: cardProvider(
      { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_API_URL: `http://127.0.0.1:${port}` },
      { timeout: 300 },
    ),
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test('an answer that trickles in ends with the time limit of the whole call', async () => {
  using provider = await providerThat((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{')
    const trickle = setInterval(() => socket.write(' '), 50)
    socket.once('close', () => clearInterval(trickle))
  })
  const start = performance.now()

  await expect(provider.cards.updateCard(update, holder)).rejects.toMatchObject({ kind: 'unknown' })
  // Twice 300 ms and the SDK's pause of half a second, where the trickle would take 50 s.
  expect(performance.now() - start).toBeLessThan(5000)
})

test('a provider that never answers leaves the outcome unknown', async () => {
  using provider = await providerThat(() => undefined)

  await expect(provider.cards.updateCard(update, holder)).rejects.toMatchObject({ kind: 'unknown' })
  expect(provider.requests()).toBe(2)
})

test('no redirect is followed', async () => {
  using other = await providerThat((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'))
  using provider = await providerThat((socket) =>
    socket.end(
      `HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:${other.port}/v1\r\ncontent-length: 0\r\n\r\n`,
    ),
  )

  await expect(provider.cards.updateCard(update, holder)).rejects.toMatchObject({ kind: 'unknown' })
  expect(other.requests()).toBe(0)
})

test.each([
  [503, '{"message":"Service Unavailable"}'],
  [403, '{"message":"Forbidden"}'],
  [429, '{"error":"too many"}'],
  [404, '{"error":{"code":404,"message":"Not Found"}}'],
  [402, '{"error":{}}'],
  [503, '"unavailable"'],
  [200, '{}'],
  [200, 'null'],
  [200, '"ok"'],
  [502, '<html></html>'],
])(
  'what stands between answers %s %s: nothing is known of the call, and nothing is taken for done',
  async (status, body) => {
    using provider = await providerThat((socket) =>
      socket.end(
        `HTTP/1.1 ${status} Whatever\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      ),
    )
    const { cards } = provider

    for (const call of [
      () => cards.removeCard('pm_1'),
      () => cards.setDefaultCard({ customerId: 'cus_1', paymentMethodId: 'pm_1' }),
      () => cards.updateCard(update, holder),
      () => cards.createCustomer({ memberId: 'm', email: 'a@example.test', operationId: 'o' }),
    ]) {
      await expect(call()).rejects.toMatchObject({ name: 'ProviderFailure', kind: 'unknown' })
    }
  },
)

test('a process that stood still between two tries does not send the second one', async () => {
  const stand = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
  using provider = await providerThat((socket) => {
    socket.destroy()
    setTimeout(stand, 100)
  })

  await expect(provider.cards.updateCard(update, holder)).rejects.toMatchObject({ kind: 'unknown' })
  expect(provider.requests()).toBe(1)
})

test('a list of many pages is read whole, however long that takes: each page has its own time limit', async () => {
  const pages = 15
  using provider = await providerThat((socket, request) => {
    // What it is after, since a page may be requested twice.
    const page = (Number(/starting_after=evt_(\d+)/.exec(request)?.[1] ?? -1) + 1) / 100
    const data = Array.from({ length: 100 }, (_, at) => {
      const id = `${page * 100 + at}`
      return {
        id: `evt_${id}`,
        object: 'event',
        type: 'x',
        data: { object: { id: `seti_${id}`, object: 'setup_intent' } },
      }
    })
    const list = JSON.stringify({ object: 'list', url: '/v1/events', has_more: page + 1 < pages, data })
    const head = `content-type: application/json\r\ncontent-length: ${list.length}\r\nconnection: close\r\n\r\n`
    setTimeout(() => socket.end(`HTTP/1.1 200 OK\r\n${head}${list}`), 120)
  })

  const events = await provider.cards.eventsBetween({ from: new Date(0), to: new Date() })
  expect(events).toHaveLength(1500)
  expect([events[0]?.objectId, events.at(-1)?.objectId]).toEqual(['seti_1499', 'seti_0'])
})
