import { listActivity, type SsoActivity } from '@atrium/contract/activity.ts'
import { setSupportAccess } from '@atrium/contract/security.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { expect, test } from 'vitest'
import { newWorld, type TestMember } from '../../test/world.ts'
import { record, recordIn, recordProvider, recordSystem } from '../activity/activity.writes.ts'
import { products } from '../catalog/catalog.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

/** A single sign-on that reports this; `undefined`: it has no such call. */
function signOn(world: World, activity: () => Promise<readonly SsoActivity[] | undefined>) {
  world.deps.sso = { ...world.deps.sso, activity }
}

const reported = (id: string, at: string, values: Partial<SsoActivity> = {}): SsoActivity => ({
  ...{ id, at, who: 'member', action: 'session.started', subject: '', address: '198.51.100.7' },
  ...values,
})

const at = (time: string) => new Date(`2026-06-01T${time}Z`)
const system = (memberId: string) => ({ memberId, actor: 'test', address: null, requestId: null })

async function entries(
  world: World,
  member: TestMember,
  query: { who?: 'member'; area?: 'sign_in'; page?: number } = {},
) {
  return (await world.as(member).send(listActivity, { query })).body
}

test('what happened here and at the single sign-on is one list, newest first, in pages', async () => {
  await using world = await newWorld({ now: '2026-06-01T12:00:00Z' })
  const [member, other] = [await world.member(), await world.member()]
  const cap = { cap: 999, scope: 'subscription' as const }
  const common = { prices: [], flags: [], downloads: [], integrations: [], sku: 'log', position: 1 }
  await world.db.insert(products).values({ ...common, cap, code: 'LOG1', name: 'Log Editor' })
  await world.db.transaction(async (tx) => {
    const actor = { id: member.id, address: '192.0.2.1', requestId: 'r' }
    await record(tx, actor, { action: 'session.started', target: 's', now: at('09:00:00') })
    await record(tx, actor, { action: 'profile.updated', target: member.id, now: at('09:30:00') })
    const colleague = { ...actor, id: other.id }
    await recordIn(tx, member.id, colleague, {
      action: 'seat.invited',
      target: 'seat',
      details: { email: 'new@example.test' },
      now: at('10:00:00'),
    })
    const details = { productCode: 'LOG1', before: { autoRenew: true }, after: { autoRenew: false } }
    await recordProvider(tx, member.id, { action: 'subscription.changed', target: 'S', details, now: at('10:30:00') })
    await recordSystem(tx, system(other.id), { action: 'device.activated', target: 'd', now: at('11:00:00') })
  })
  signOn(world, async () => [
    reported('sso-2', '2026-06-01T10:15:00.000Z', { action: 'password.changed' }),
    reported('sso-1', '2026-06-01T08:59:59.000Z', { subject: 'google' }),
  ])

  const { list, total, isComplete } = await entries(world, member)
  expect([total, isComplete]).toEqual([5, true])
  expect(list.map(({ who, name, action, subject }) => [who, name, action, subject])).toEqual([
    ['provider', '', 'subscription.renewal_off', 'Log Editor'],
    ['member', '', 'password.changed', ''],
    ['colleague', other.email, 'seat.invited', 'new@example.test'],
    ['member', '', 'profile.updated', ''],
    ['member', '', 'session.started', 'google'],
  ])
  expect(list.at(-1)).toMatchObject({ id: 'sso-1', at: at('08:59:59').getTime() / 1000, address: '198.51.100.7' })

  const pages = await Promise.all(
    [1, 2, 3].map((page) => world.as(member).send(listActivity, { query: { page, pageSize: 2 } })),
  )
  expect(pages.flatMap(({ body }) => body.list)).toEqual(list)
  expect(await entries(world, other)).toMatchObject({ total: 3, list: [{ action: 'device.activated' }, {}, {}] })
})

test('it can be filtered by who and by area, at both', async () => {
  await using world = await newWorld()
  const member = await world.member()
  await world.db.transaction(async (tx) => {
    const actor = { id: member.id, address: null, requestId: null }
    await recordSystem(tx, system(member.id), { action: 'device.activated', target: 'd', now: at('09:00:00') })
    await record(tx, { ...actor, requestId: 'r' }, { action: 'profile.updated', target: 'm', now: at('09:30:00') })
  })
  signOn(world, async () => [
    reported('sso-1', '2026-06-01T10:00:00.000Z'),
    reported('sso-2', '2026-06-01T09:45:00.000Z', { who: 'vendor', action: 'account.created' }),
  ])
  expect((await entries(world, member, { who: 'member' })).list.map(({ action }) => action)).toEqual([
    'session.started',
    'profile.updated',
  ])
  const signIns = await entries(world, member, { area: 'sign_in' })
  expect([signIns.total, signIns.list.map(({ who }) => who)]).toEqual([2, ['member', 'vendor']])
})

test('a CAS server of the vendor reports nothing, so our own sessions are the sign-ins; so they are while it is away', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const actor = { id: member.id, address: '192.0.2.1', requestId: 'r' }
  await world.db.transaction((tx) => record(tx, actor, { action: 'session.started', target: 's', now: at('09:00:00') }))
  signOn(world, async () => undefined)
  expect(await entries(world, member)).toMatchObject({
    total: 1,
    isComplete: true,
    list: [{ action: 'session.started' }],
  })
  signOn(world, async () => {
    throw new Problem('sign_on_unreachable')
  })
  expect(await entries(world, member)).toMatchObject({ total: 1, isComplete: false })
  expect((await world.visitor.send(listActivity, { query: {} })).status).toBe(401)
})

test('the account’s owner reads that support access was granted', async () => {
  await using world = await newWorld()
  const member = await world.member()
  signOn(world, async () => [])
  await world.as(member).send(setSupportAccess, { body: { grantLoginExpireTime: '1w' } })
  expect((await entries(world, member)).list).toMatchObject([{ who: 'member', action: 'support_access.granted' }])
})
