import { endpoint } from '@atrium/contract/endpoint.ts'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openApiRoutes } from './openapi.ts'

test('the description is made once, and may be cached', async () => {
  const app = Fastify()
  openApiRoutes(app)
  let made = 0
  const thing = endpoint({
    method: 'GET',
    path: '/things/',
    summary: 'Things',
    get reply() {
      made += 1
      return z.string()
    },
  })
  app.get(thing.path, { config: { endpoint: thing } }, async () => 'a thing')
  const before = made
  const replies = await Promise.all(Array.from({ length: 20 }, () => app.inject('/account/openapi.json')))

  expect(made - before).toBe(1)
  expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
  expect(replies[0]?.json().paths['/things/'].get.summary).toBe('Things')
  expect(replies[0]?.headers).toMatchObject({
    'cache-control': 'public, max-age=300',
    'content-type': 'application/json; charset=utf-8',
  })
  await app.close()
})
