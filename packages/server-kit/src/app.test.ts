import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { newApp } from './app.ts'

/** A server with one address, which answers when it is told to. */
async function listening() {
  const app = await newApp({
    logger: pino({ level: 'silent' }),
    publicUrl: 'http://localhost:3000',
    trustedProxies: [],
  })
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  app.post('/echo/', ({ body }) => body)
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

const milliseconds = async (what: Promise<unknown>) => {
  const begin = Date.now()
  await what
  return Date.now() - begin
}

test('a stop waits for the reply under way, and not for its connection', async () => {
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
  expect(await milliseconds(closed)).toBeLessThan(2000)
  expect((await reply).statusCode).toBe(200)
  agent.destroy()
})

test('a stop takes no further connections, and waits for a body that is on its way', async () => {
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

test('a connection that never asked anything does not hold up a stop', async () => {
  const { app, url } = await listening()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  await pause(100)

  expect(await milliseconds(app.close())).toBeLessThan(2000)
  socket.destroy()
})
