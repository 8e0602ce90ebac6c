import { autoLoginRedact, getPortal, listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { newProduct, newSeat, newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { subscriptions } from './subscriptions.tables.ts'

test('only https links to the vendor’s hosts are given out, and an individual plan has nothing to manage', async () => {
  await using world = await newWorld({ settings: { LINK_HOSTS: 'manage.example' } })
  const owner = await world.member()
  const individual = await newProduct(world, { flags: ['individualSuite'] })
  const external = await newProduct(world, { manageUrl: 'https://manage.example/app' })
  await newSubscription(world, owner, { id: 'sub-a', productCode: individual.code })
  await newSubscription(world, owner, { id: 'sub-b', productCode: external.code })
  await newSubscription(world, owner, { id: 'sub-c', manageUrl: 'https://evil.example/' })
  const { list } = (await world.as(owner).send(listSubscriptions, { query: {} })).body

  const managed = list.toSorted((one, other) => (one.stripeSubscriptionId < other.stripeSubscriptionId ? -1 : 1))
  expect(managed.map(({ manageBy, manageUrl, hideManage }) => [manageBy, manageUrl, hideManage])).toEqual([
    ['none', '', 1],
    ['address', 'https://manage.example/app', 0],
    ['team', '', 0],
  ])
})

test('the address is given out to who manages there, and to nobody once there is no access', async () => {
  await using world = await newWorld({ settings: { LINK_HOSTS: 'manage.example' } })
  const [owner, admin, setupAdmin, pia] = [
    await world.member(),
    await world.member(),
    await world.member(),
    await world.member(),
  ]
  const manageUrl = 'https://manage.example/app'
  const { id } = await newSubscription(world, owner, { manageUrl })
  for (const [type, { id: memberId, email }] of [[1, admin] as const, [3, setupAdmin] as const, [0, pia] as const])
    await newSeat(world, id, { memberId, email, type })
  const seen = async (member: TestMember) => {
    const { list } = (await world.as(member).send(listSubscriptions, { query: {} })).body
    return list.map((one) => [one.manageBy, one.manageUrl])
  }
  for (const member of [owner, admin, setupAdmin]) expect(await seen(member)).toEqual([['address', manageUrl]])
  expect(await seen(pia)).toEqual([['none', '']])

  const ended = { status: 'canceled', autoRenew: false, endedAt: new Date(0), periodEnd: new Date(0) } as const
  await world.db.update(subscriptions).set(ended).where(eq(subscriptions.id, id))
  expect(await seen(owner)).toEqual([['none', '']])
})

test('portal and storage are opened with a token that says who comes, for a minute and only there', async () => {
  const settings = { REDACT_PORTAL_URL: 'https://redact.example/portal', STORAGE_URL: 'https://storage.example/' }
  await using world = await newWorld({ settings })
  const owner = await world.member()
  const server = await newProduct(world, { flags: ['redactServer'] })
  const storage = await newProduct(world, { flags: ['storage'] })
  const redact = await newSubscription(world, owner, { productCode: server.code })
  const stored = await newSubscription(world, owner, { productCode: storage.code })

  const portal = await world.as(owner).send(getPortal, { params: { sid: redact.id } })
  const login = await world.as(owner).send(autoLoginRedact, { body: { sid: stored.id } })
  expect([new URL(portal.body.url).origin, new URL(login.body.url).origin]).toEqual([
    'https://redact.example',
    'https://storage.example',
  ])
  const keys = createLocalJWKSet((await world.request({ url: '/.well-known/jwks.json' })).json())
  const token = new URL(portal.body.url).searchParams.get('token') ?? ''
  const { payload } = await jwtVerify(token, keys, { audience: 'https://redact.example', maxTokenAge: 60 })
  expect(payload).toMatchObject({ purpose: 'redact-portal', sid: redact.id })

  const other = await world.as(owner).send(getPortal, { params: { sid: stored.id } })
  expect([other.status, other.body.code]).toEqual([409, 'not_manageable'])
})

test('a Member is refused, and for a stranger the subscription does not exist', async () => {
  await using world = await newWorld({ settings: { REDACT_PORTAL_URL: 'https://redact.example/' } })
  const [owner, pia, stranger] = [await world.member(), await world.member(), await world.member()]
  const product = await newProduct(world, { flags: ['redactServer'] })
  const { id } = await newSubscription(world, owner, { productCode: product.code })
  await newSeat(world, id, { memberId: pia.id, email: pia.email })
  const portal = (member: TestMember, sid = id) => world.as(member).send(getPortal, { params: { sid } })

  expect((await portal(pia)).body.code).toBe('not_manager')
  const [foreign, missing] = [await portal(stranger), await portal(stranger, 'sub-none')]
  expect(foreign.status).toBe(404)
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  expect((await portal(owner)).status).toBe(200)
})
