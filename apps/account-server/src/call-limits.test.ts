import { declaredProblem, type Endpoint } from '@atrium/contract/endpoint.ts'
import { readProfile } from '@atrium/contract/profile.ts'
import { searchAccount } from '@atrium/contract/search.ts'
import { expect, test } from 'vitest'
import { callsAllowed } from './call-limits.ts'
import { mountedEndpoints } from './test/mounted-endpoints.ts'
import { newWorld } from './test/world.ts'

const search = { query: { keyWord: 'ada' } }

/** Whether what it declares shows that it is dear. What asks somebody else without saying so is found by `unlimitedCalls`. */
function isDear({ path, mediaType, reply, problems = {} }: Endpoint): boolean {
  const isFile =
    mediaType !== undefined ||
    ('shape' in reply && typeof reply.shape === 'object' && reply.shape !== null && 'filename' in reply.shape)
  const asks = Object.keys(problems).some((code) => /unreachable|provider_unavailable|outcome_unknown/.test(code))
  return isFile || asks || /search|export\/$/.test(path)
}

test('every endpoint that asks a provider, exports or searches has a limit, and only a member’s has one', async () => {
  await using world = await newWorld()
  const endpoints = await mountedEndpoints(world)
  const dear = endpoints.filter((endpoint) => isDear(endpoint))
  expect(dear.length).toBeGreaterThan(25)
  const reads = ['GET /account/data-export/']
  const unlimited = dear.filter(({ limit }) => !limit).map(({ method, path }) => `${method} ${path}`)
  expect(unlimited).toEqual(reads)
  const open = endpoints.filter(({ limit, access = 'member' }) => limit && access !== 'member')
  expect(open).toEqual([])
  expect(declaredProblem(searchAccount, 'too_often')).toEqual({})
})

test('who asks too often waits, and learns for how long; nobody else does, and nothing else', async () => {
  await using world = await newWorld()
  const [busy, other] = [await world.member(), await world.member()]
  const ask = () => world.as(busy).send(searchAccount, search)
  const replies = await Promise.all(Array.from({ length: callsAllowed.search }, ask))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))

  const { status, body, headers } = await ask()
  expect({ status, code: body.code }).toEqual({ status: 429, code: 'too_often' })
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(20)
  expect((await world.as(other).send(searchAccount, search)).status).toBe(200)
  expect((await world.as(busy).send(readProfile, { query: {} })).status).toBe(200)
})

test('copies of the server count together', async () => {
  await using one = await newWorld()
  await using two = await newWorld()
  const member = await one.member()
  const ask = (world: typeof one) => world.as(member).send(searchAccount, search)
  await Promise.all(Array.from({ length: callsAllowed.search }, (_, at) => ask(at % 2 ? one : two)))
  expect((await ask(one)).status).toBe(429)
  expect((await ask(two)).status).toBe(429)
})
