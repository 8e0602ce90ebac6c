import { Agent, get, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { expect, test } from 'vitest'
import { newApp } from './app.ts'
import { logSerializers } from './logging.ts'
import { Problem } from './problem.ts'

/** A listening server whose single route answers on demand. */
async function listening(options: { requestsPerMinute?: number; maxInFlight?: number; logger?: Logger } = {}) {
  const app = await newApp({
    logger: pino({ level: 'silent' }),
    publicUrl: 'http://localhost:3000',
    trustedProxies: [],
    ...options,
  })
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  app.post('/echo/', ({ body }) => body)
  app.get('/elsewhere/', () => {
    throw new Problem('overloaded', { cause: new Error('the provider said 500') })
  })
  app.get('/livez', { config: { isHealth: true } }, () => 'ok')
  app.get('/slow/', () => {
    asked.resolve()
    return answer.promise
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, url, asked: asked.promise, answer: () => answer.resolve('done') }
}

function ask(url: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, { agent }, resolve).on('error', reject))
}

function send(url: string, agent: Agent, said: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    request(`${url}/echo/`, { agent, method: 'POST', headers }, resolve)
      .on('error', reject)
      .end(JSON.stringify({ said }))
  })
}

/** The raw response to bytes that no client would send. */
async function raw(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}

const milliseconds = async (what: Promise<unknown>) => {
  const begin = Date.now()
  await what
  return Date.now() - begin
}

test('a stop waits for the reply in progress, not for its connection', async () => {
  const { app, url, asked, answer } = await listening()
  const agent = new Agent({ keepAlive: true })
  const reply = ask(`${url}/slow/`, agent)
  await asked
  let isClosed = false
  const closed = app.close().then(() => {
    isClosed = true
  })
  await pause(200)
  expect(isClosed).toBe(false)

  answer()
  expect(await milliseconds(closed)).toBeLessThan(4000)
  const { statusCode, headers } = await reply
  expect([statusCode, headers.connection]).toEqual([200, 'close'])
  agent.destroy()
})

test('during a stop, a request on an accepted connection is answered, and its connection closed', async () => {
  const { app, url } = await listening()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await text(await send(url, agent, 'before'))
  const closed = app.close()
  await pause(200)
  await expect(fetch(`${url}/echo/`)).rejects.toThrow()

  const reply = await send(url, agent, 'meanwhile')
  expect([reply.statusCode, reply.headers.connection, await text(reply)]).toEqual([
    200,
    'close',
    '{"said":"meanwhile"}',
  ])
  expect(await milliseconds(closed)).toBeLessThan(4000)
})

test('a stop accepts no further connections, and waits for a body in transit', async () => {
  const { app, url } = await listening()
  const port = Number(new URL(url).port)
  const body = JSON.stringify({ said: 'all of it' })
  const headers = `host: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST /echo/ HTTP/1.1\r\n${headers}\r\n\r\n${body.slice(0, 5)}`)
  await pause(200)
  const closed = app.close()
  await pause(100)
  await expect(fetch(`${url}/echo/`)).rejects.toThrow()

  socket.write(body.slice(5))
  expect(await text(socket)).toContain(body)
  await closed
})

test('a connection without a request does not delay a stop', async () => {
  const { app, url } = await listening()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  await pause(100)

  expect(await milliseconds(app.close())).toBeLessThan(4000)
  socket.destroy()
})

/** How the requests on forty connections end with a stop under load. */
async function stopUnderLoad(): Promise<{ code: unknown; isReused: boolean }[]> {
  const { app, url } = await listening()
  const agent = new Agent({ keepAlive: true, maxSockets: 40 })
  const failed = () =>
    new Promise<{ code: unknown; isReused: boolean } | undefined>((resolve) => {
      const asked = get(`${url}/livez`, { agent }, (reply) => reply.resume().once('close', () => resolve(undefined)))
      asked.on('error', (error) => resolve({ code: Reflect.get(error, 'code'), isReused: asked.reusedSocket }))
    })
  const callers = Array.from({ length: 40 }, async () => {
    for (;;) {
      const failure = await failed()
      if (failure) return failure
    }
  })
  await pause(300)
  await app.close()
  const failures = await Promise.all(callers)
  agent.destroy()
  return failures
}

test('a stop under load resets no connection', { timeout: 60_000 }, async () => {
  // Refused: the connection was not accepted, and nothing was sent.
  const isReset = ({ code }: { code: unknown }) => code !== 'ECONNREFUSED'
  for (let stops = 1; ; stops += 1) {
    const resets = (await stopUnderLoad()).filter(isReset)
    expect(resets.filter(({ isReused }) => isReused)).toEqual([])
    // Without a free CPU the system may accept one in the last moment, which the server never sees: not with each of ten stops.
    if (resets.length === 0) break
    expect(stops).toBeLessThan(10)
  }
})

test('the failure of another system is logged under the request id, and not sent to the customer', async () => {
  const lines: string[] = []
  const logger = pino(
    { level: 'warn', serializers: logSerializers },
    { write: (line: string) => void lines.push(line) },
  )
  const { app } = await listening({ logger })
  const reply = await app.inject('/elsewhere/')
  await app.close()

  expect([reply.statusCode, reply.body.includes('the provider')]).toEqual([503, false])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { reqId: reply.json().requestId, code: 'overloaded', err: { message: 'the provider said 500' } },
  ])
})

test('a request that is one too many is refused for now, and the log says why', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const { app, url, asked, answer } = await listening({ logger, maxInFlight: 1 })
  const agent = new Agent({ keepAlive: true })
  const first = ask(`${url}/slow/`, agent)
  await asked
  const second = await ask(`${url}/slow/`, agent)
  answer()
  expect([(await first).statusCode, second.statusCode, second.headers['retry-after']]).toEqual([200, 503, '2'])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'overloaded', route: '/slow/', inFlight: 2 }])
  agent.destroy()
  await app.close()
})

test('a caller that disconnects in the middle of its body is not logged as a database failure', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const { app, url } = await listening({ logger })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('POST /echo/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{')
  await pause(100)
  socket.destroy()
  await pause(100)
  await app.close()
  expect(lines).toEqual([])
})

test('a malformed address, and bytes that are not HTTP, are logged with the request id of the answer', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const { app, url } = await listening({ logger })
  const replies = [
    (await app.inject('/%E0%A4%A')).body,
    (await raw(url, 'nonsense\r\n\r\n')).split('\r\n\r\n')[1] ?? '',
  ]
  await app.close()

  for (const reply of replies) {
    const { requestId } = JSON.parse(reply)
    const found = lines.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId === requestId)
    expect(found).toMatchObject([{ msg: 'answered', status: 400 }])
  }
})

test('a request has one log line, with the request id of its problem; health checks have none', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const { app } = await listening({ logger })
  const reply = await app.inject('/nowhere/?ticket=ST-secret')
  await app.inject('/livez')
  await app.close()

  const answered = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  expect(answered).toMatchObject([
    { level: 30, reqId: reply.json().requestId, method: 'GET', status: 404, milliseconds: expect.any(Number) },
  ])
  expect(lines.join('')).not.toContain('ST-secret')
})

test('two Host headers are malformed', async () => {
  const { app, url } = await listening()
  const reply = await raw(url, 'GET /echo/ HTTP/1.1\r\nhost: one\r\nHOST: two\r\nconnection: close\r\n\r\n')
  expect(reply).toMatch(/^HTTP\/1.1 400/)
  expect(reply).toContain('"code":"malformed"')
  await app.close()
})

test('a body that does not arrive in time is answered with 408', async () => {
  const { app, url } = await listening()
  // Otherwise Node swaps them, and a body may take as long as both together.
  expect(app.server.headersTimeout).toBeLessThan(app.server.requestTimeout)
  app.server.headersTimeout = 400
  app.server.requestTimeout = 500
  const head = 'POST /echo/ HTTP/1.1\r\nhost: one\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{'
  const reply = await raw(url, head)
  expect(reply).toMatch(/^HTTP\/1.1 408/)
  expect(reply).toContain('"code":"request_timeout"')
  await app.close()
})

test('requests to unknown addresses count toward the rate limit', async () => {
  const { app } = await listening({ requestsPerMinute: 3 })
  const replies = []
  for (const address of ['a', 'b', 'c', 'd']) replies.push(await app.inject(`/nowhere/${address}`))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 429])
  expect(replies[3]?.json().code).toBe('too_often')
  await app.close()
})

test('an IPv6 network counts as one caller', async () => {
  const { app } = await listening({ requestsPerMinute: 3 })
  const from = async (remoteAddress: string) => (await app.inject({ url: '/nowhere', remoteAddress })).statusCode
  const statuses = []
  for (const end of ['1', '2:3', 'ffff', '9:9:9']) statuses.push(await from(`2001:db8:1:2::${end}`))
  expect(statuses).toEqual([404, 404, 404, 429])
  expect(await from('2001:db8:1:3::1')).toBe(404)
  await app.close()
})
