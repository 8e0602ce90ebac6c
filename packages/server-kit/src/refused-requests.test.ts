import { endpoint, freshSignIn } from '@atrium/contract/endpoint.ts'
import pino from 'pino'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { newApp } from './app.ts'
import { logCaller } from './logged-caller.ts'
import { Problem } from './problem.ts'
import { serve } from './serve.ts'

const readThing = endpoint({
  method: 'GET',
  path: '/things/:id/',
  summary: 'A thing',
  params: z.object({ id: z.string() }),
  reply: z.object({}),
  problems: { not_owner: 403 },
})
const removeThing = endpoint({ ...readThing, method: 'DELETE', problems: freshSignIn })

/** An app with a member who has nothing but `mine`. */
async function served() {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const app = await newApp({ logger, publicUrl: 'http://localhost:3000', trustedProxies: [] })
  app.decorate('identify', async (request: Parameters<typeof logCaller>[0]) => {
    if (request.headers.cookie === undefined) return undefined
    logCaller(request, { memberId: 'm-1' })
    return { id: 'm-1', isFresh: request.headers.cookie === 'fresh' }
  })
  serve(app, readThing, ({ params: { id } }) => {
    if (id !== 'mine') throw new Problem(id === 'shared' ? 'not_owner' : 'not_found')
    return {}
  })
  serve(app, removeThing, () => ({}))
  const send = (url: string, options: { method?: 'GET' | 'DELETE'; cookie?: string } = {}) => {
    const { method = 'GET', cookie } = options
    const headers = { origin: 'http://localhost:3000', ...(cookie && { cookie }) }
    return app.inject({ method, url, headers, remoteAddress: '2001:db8::7' })
  }
  const logged = (message: string) => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message)
  return { app, send, logged }
}

test('the line of a request names the member who sent it', async () => {
  const { app, send, logged } = await served()
  await send('/things/mine/', { cookie: 'old' })
  await send('/things/mine/')
  await app.close()
  expect(logged('answered').map(({ memberId, status }) => [memberId, status])).toEqual([
    ['m-1', 200],
    [undefined, 401],
  ])
})

test('what a member may not do, or does not have, has a line with member, network, request and object', async () => {
  const { app, send, logged } = await served()
  const shared = await send('/things/shared/', { cookie: 'old' })
  await send('/things/theirs/', { cookie: 'old' })
  await send('/things/mine/', { method: 'DELETE', cookie: 'old' })
  await app.close()

  const who = { memberId: 'm-1', network: '2001:db8:0:0::/64', route: '/things/:id/' }
  expect(logged('refused')).toMatchObject([
    { ...who, level: 40, code: 'not_owner', target: { id: 'shared' }, reqId: shared.json().requestId },
    { ...who, level: 30, code: 'not_found', target: { id: 'theirs' } },
    { ...who, level: 40, code: 'fresh_sign_in_required', target: { id: 'mine' } },
  ])
})

test('what succeeds, a visitor without a session and any other text in the address leave none', async () => {
  const { app, send, logged } = await served()
  await send('/things/mine/', { cookie: 'old' })
  await send('/things/mine/', { method: 'DELETE', cookie: 'fresh' })
  await send('/things/theirs/')
  await send('/nowhere/')
  expect(logged('refused')).toEqual([])
  await send(`/things/${encodeURIComponent('a secret\nline')}/`, { cookie: 'old' })
  await app.close()
  expect(logged('refused')).toMatchObject([{ target: {} }])
})
