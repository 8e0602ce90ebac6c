import { endpoint } from '@atrium/contract/endpoint.ts'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openApiRoutes } from './openapi.ts'

test('the description is generated once, and may be cached', async () => {
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

test('problems with data are described per status, with one schema per shape', async () => {
  const app = Fastify()
  openApiRoutes(app)
  const Row = z.object({ name: z.string() })
  const thing = endpoint({
    method: 'PUT',
    path: '/things/',
    summary: 'Change a thing',
    reply: Row,
    problems: {
      no_change: 409,
      stale: { status: 409, data: Row },
      renamed: { status: 409, data: Row },
      limit: { status: 402, data: z.object({ most: z.int().max(9) }) },
    },
  })
  app.put(thing.path, { config: { endpoint: thing } }, async () => 'done')
  const { paths } = (await app.inject('/account/openapi.json')).json()
  await app.close()

  const plain = { $ref: '#/components/schemas/Problem' }
  const schemaOf = (status: number) =>
    paths['/things/'].put.responses[status].content['application/problem+json'].schema
  expect(schemaOf(422)).toEqual(plain)
  expect(schemaOf(402).oneOf).toMatchObject([
    {
      allOf: [
        plain,
        {
          properties: { code: { enum: ['limit'] }, data: { properties: { most: { maximum: 9 } } } },
          required: ['data'],
        },
      ],
    },
  ])
  expect(schemaOf(409).oneOf).toMatchObject([
    { allOf: [plain, { properties: { code: { enum: ['another_member', 'no_change'] } } }] },
    {
      allOf: [
        plain,
        {
          properties: { code: { enum: ['stale', 'renamed'] }, data: { properties: { name: { type: 'string' } } } },
          required: ['data'],
        },
      ],
    },
  ])
})
