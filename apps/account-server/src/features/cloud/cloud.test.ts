import { chooseRegion, lookUpRegion, openCloud, personalId, type Region, regions } from '@atrium/contract/cloud.ts'
import { and, eq, like } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { newSeat, newSubscription } from '../../test/factories.ts'
import { newWorld as newBareWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { sessions } from '../session/session.tables.ts'
import { enterprises } from '../subscriptions/enterprises.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'

type World = Awaited<ReturnType<typeof newBareWorld>>

const settings = { CLOUD_URL_US: 'https://us.cloud.example/app', CLOUD_URL_EU: 'https://eu.cloud.example' }

/** A server whose single sign-on issues tickets, and what it was sent. */
async function newWorld(more: NodeJS.ProcessEnv = {}) {
  const world = await newBareWorld({ settings: { ...settings, ...more } })
  const requests: string[] = []
  world.deps.fetchCloudTicket = async (request) => {
    requests.push(request)
    return { ticket: `ST-${requests.length}` }
  }
  return { ...world, requests }
}

const read = async (world: World, member: TestMember) => (await world.as(member).send(lookUpRegion, {})).body
const choose = (world: World, member: TestMember, region: Region) =>
  world.as(member).send(chooseRegion, { body: { region } })
const open = (world: World, member: TestMember, userTypeId = personalId, lang: 'de-de' | 'en-us' = 'en-us') =>
  world.as(member).send(openCloud, { body: { userTypeId, lang } })

/** A member with a region. */
async function settled(world: World, region: Region = 'us') {
  const member = await world.member()
  expect((await choose(world, member, region)).status).toBe(200)
  return member
}

/** Enterprises of this test, each with a subscription of somebody else's. */
async function newEnterprises(world: World, codes: readonly string[]) {
  const owner = await world.member()
  await world.db
    .insert(enterprises)
    .values(codes.map((code) => ({ orgCode: code, name: `The ${code} company`, consoleUrl: '' })))
    .onConflictDoNothing()
  return Promise.all(codes.map((orgCode) => newSubscription(world, owner, { orgCode })))
}

async function acts(world: World, { id }: TestMember): Promise<string[]> {
  const rows = await world.db
    .select()
    .from(activity)
    .where(and(eq(activity.memberId, id), like(activity.action, 'cloud.%')))
    .orderBy(activity.id)
  return rows.map(({ action, details }) => `${action} ${JSON.stringify(details)}`)
}

test('the data region is chosen once among those that the vendor has, and does not change', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const fresh = { region: '', regions: ['us', 'eu'], userTypes: [{ id: '0', name: '' }], userTypeId: '0' }
  expect(await read(world, member)).toEqual(fresh)

  expect((await choose(world, member, 'au')).body.code).toBe('region_not_offered')
  for (const region of ['moon', 'US', '', null, ['us']]) {
    const headers = { cookie: member.cookie, origin: 'http://localhost:3000' }
    const url = '/account/cloud/region/'
    const unknown = await world.request({ method: 'POST', url, headers, payload: { region } })
    expect([unknown.statusCode, unknown.json().errors?.[0]?.path]).toEqual([422, 'body.region'])
  }
  const chosen = { ...fresh, region: 'eu' }
  expect(await choose(world, member, 'eu')).toMatchObject({ status: 200, body: chosen })

  for (const region of regions.slice(0, 2)) {
    expect(await choose(world, member, region)).toMatchObject({
      status: 409,
      body: { code: 'region_chosen', data: chosen },
    })
  }
  expect(await read(world, member)).toEqual(chosen)
  expect(await acts(world, member)).toEqual(['cloud.region_chosen {"region":"eu"}'])
})

test('of two tabs that choose, one wins and the other hears which region it is', async () => {
  await using world = await newWorld()
  const member = await world.member()

  const both = regions.slice(0, 2)
  const replies = await Promise.all([...both, ...both].map((region) => choose(world, member, region)))

  const { region } = await read(world, member)
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  expect(replies.find(({ status }) => status === 200)?.body.region).toBe(region)
  for (const { body } of replies.filter(({ status }) => status === 409)) expect(body.data).toMatchObject({ region })
  expect(await acts(world, member)).toHaveLength(1)
})

test('the region of one member is not another’s', async () => {
  await using world = await newWorld()
  const [american, european] = [await settled(world, 'us'), await settled(world, 'eu')]

  expect((await read(world, american)).region).toBe('us')
  expect((await open(world, european)).body.url).toContain('https://eu.cloud.example/')
})

test('the address has the ticket, the service that it is for, and the way back, in the language of the page', async () => {
  await using world = await newWorld()
  const member = await settled(world)
  const { status, body } = await open(world, member, personalId, 'de-de')

  expect(status).toBe(200)
  const url = new URL(body.url)
  expect(url.origin + url.pathname).toBe('https://us.cloud.example/app')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ticket: 'ST-1',
    casService: 'https://us.cloud.example/app',
    from: 'http://localhost:3000/de/account?tab=my-products',
  })
})

test('the request names the session at the single sign-on and the service, and no person', async () => {
  await using world = await newWorld()
  const member = await settled(world)
  await open(world, member)

  const [session] = await world.db.select().from(sessions).where(eq(sessions.memberId, member.id))
  expect(decodeJwt(world.requests[0] ?? '')).toEqual({
    iss: 'http://localhost:3000',
    aud: 'http://localhost:3001',
    sub: session?.ticketHash,
    purpose: 'cloud-ticket',
    service: 'https://us.cloud.example/app',
    jti: expect.any(String),
    iat: expect.any(Number),
    exp: expect.any(Number),
  })
})

test('without a ticket the address is the same without it: the single sign-on is away, refuses, or is the vendor’s own', async () => {
  await using world = await newWorld()
  const member = await settled(world)
  const withTicket = new URL((await open(world, member)).body.url)
  withTicket.searchParams.delete('ticket')

  for (const failure of ['timeout', 'refused'] as const) {
    world.deps.fetchCloudTicket = async () => ({ failure, detail: 'session_ended' })
    expect((await open(world, member)).body.url).toBe(withTicket.href)
  }
  await using elsewhere = await newWorld({ PASSWORD_URL: 'https://login.example/password' })
  expect((await open(elsewhere, member)).body.url).toBe(withTicket.href)
  expect(elsewhere.requests).toEqual([])
})

test('a region must be chosen first, and one that is no longer offered does not open', async () => {
  await using world = await newWorld()
  const member = await world.member()
  expect((await open(world, member)).body.code).toBe('region_missing')

  await choose(world, member, 'eu')
  await using reduced = await newWorld({ CLOUD_URL_EU: '' })
  expect(await read(reduced, member)).toMatchObject({ region: 'eu', regions: ['us'] })
  expect(await open(reduced, member)).toMatchObject({ status: 409, body: { code: 'region_not_offered' } })
  expect(reduced.requests).toEqual([])
})

test('user types are the enterprises with access, owned or used, each once and by name; the last one is remembered', async () => {
  await using world = await newWorld()
  const member = await settled(world)
  const [zinc, alloy, over, removed, invited, unnamed] = await newEnterprises(world, [
    ...['ZINC', 'ALLOY', 'OVER', 'REMOVED', 'INVITED', personalId],
  ])
  const who = { memberId: member.id, email: member.email }
  const [at, later] = [new Date('2026-05-01'), new Date('2026-06-01')]
  if (!zinc || !alloy || !over || !removed || !invited || !unnamed) throw new Error('no subscriptions')
  await newSubscription(world, member, { orgCode: 'ALLOY' })
  await newSubscription(world, member, { orgCode: 'WITHOUT-A-NAME' })
  await newSubscription(world, member, { orgCode: 'OVER', status: 'canceled', autoRenew: false, endedAt: at })
  await newSeat(world, zinc.id, { ...who, type: 3, isUse: false })
  await newSeat(world, alloy.id, who)
  await newSeat(world, unnamed.id, who)
  await newSeat(world, removed.id, { ...who, removedAt: later })
  await newSeat(world, invited.id, { email: member.email, status: 'Pending' })

  const userTypes = [
    { id: '0', name: '' },
    { id: 'ALLOY', name: 'The ALLOY company' },
    { id: 'ZINC', name: 'The ZINC company' },
  ]
  expect(await read(world, member)).toMatchObject({ userTypes, userTypeId: '0' })

  const url = new URL((await open(world, member, 'ZINC')).body.url)
  expect(url.searchParams.get('enterpriseId')).toBe('ZINC')
  await Promise.all([open(world, member, 'ALLOY'), open(world, member, 'ALLOY')])
  expect((await read(world, member)).userTypeId).toBe('ALLOY')
  expect((await acts(world, member)).slice(1)).toEqual([
    'cloud.user_type_chosen {"userTypeId":"ZINC"}',
    'cloud.user_type_chosen {"userTypeId":"ALLOY"}',
  ])
})

test('another member’s enterprise looks like none at all, and theirs still opens', async () => {
  await using world = await newWorld()
  const [owner, stranger] = [await settled(world), await settled(world)]
  await newEnterprises(world, ['FOREIGN'])
  await newSubscription(world, owner, { orgCode: 'FOREIGN' })

  const [foreign, missing] = [await open(world, stranger, 'FOREIGN'), await open(world, stranger, 'NONE')]
  expect(foreign.status).toBe(404)
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  expect(world.requests).toEqual([])
  expect((await open(world, owner, 'FOREIGN')).body.url).toContain('enterpriseId=FOREIGN')
})

test('what one member of an enterprise opens last is not remembered for another', async () => {
  await using world = await newWorld()
  const members = [await settled(world), await settled(world)] as const
  const [subscription] = await newEnterprises(world, ['SHARED'])
  for (const { id: memberId, email } of members) await newSeat(world, subscription?.id ?? '', { memberId, email })

  await open(world, members[0], 'SHARED')

  expect((await read(world, members[0])).userTypeId).toBe('SHARED')
  expect((await read(world, members[1])).userTypeId).toBe(personalId)
})

test('an enterprise that somebody has left is forgotten', async () => {
  await using world = await newWorld()
  const member = await settled(world)
  const [subscription] = await newEnterprises(world, ['LEFT'])
  const seat = await newSeat(world, subscription?.id ?? '', { memberId: member.id, email: member.email })
  await open(world, member, 'LEFT')
  expect((await read(world, member)).userTypeId).toBe('LEFT')

  await world.db.update(seats).set({ removedAt: new Date() }).where(eq(seats.id, seat.id))
  expect(await read(world, member)).toMatchObject({ userTypes: [{ id: '0' }], userTypeId: '0' })
  expect((await open(world, member, 'LEFT')).status).toBe(404)
})

test('without any cloud service no region is offered', async () => {
  await using world = await newBareWorld()
  expect((await read(world, await world.member())).regions).toEqual([])
})
