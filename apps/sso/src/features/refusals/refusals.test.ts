import { ssoActivity } from '@atrium/contract/activity.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import * as popups from '../../popup-wire.ts'
import { demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { activity } from '../activity/activity.tables.ts'

const guess = (world: World, email: string, address?: string) =>
  world.browser(address).send(wire.signIn, { body: { email, password: 'not-the-password' } })

async function rowsOf(world: World, userId: string) {
  await world.deps.refusals.settled()
  const rows = await world.db.select().from(activity).where(eq(activity.userId, userId)).orderBy(activity.id)
  return rows.filter(({ action }) => action === 'credentials.refused')
}

test('wrong passwords of one network in ten minutes are one row, which counts them, concurrent ones too', async () => {
  await using world = await newWorld()
  const { id, email } = await world.newUser()
  await Promise.all(Array.from({ length: 7 }, () => guess(world, email, '192.0.2.7')))
  world.wait(590)
  await guess(world, email, '192.0.2.7')
  expect(await rowsOf(world, id)).toMatchObject([
    { address: '192.0.2.7', requestId: expect.any(String), details: { count: 8, password: 8 } },
  ])

  await guess(world, email, '2001:db8:1:2::a')
  await guess(world, email, '2001:db8:1:2:ffff::b')
  world.wait(11)
  await guess(world, email, '192.0.2.7')
  expect((await rowsOf(world, id)).map(({ address, details }) => [address, details.count])).toEqual([
    ['192.0.2.7', 8],
    ['2001:db8:1:2::/64', 2],
    ['192.0.2.7', 1],
  ])
  await world.browser().send(wire.signIn, { body: { email, password: demoPassword } })
  expect(await rowsOf(world, id)).toHaveLength(3)
})

test('wrong passwords and codes in a popup are counted in the same row', async () => {
  await using world = await newWorld()
  const { id, email } = await world.newUser()
  await guess(world, email)
  const opened = await world
    .browser()
    .send(popups.openPopup, { body: { accessToken: await world.tokens(id), purpose: 'password-reset' } })
  const { popupId } = opened.body
  const change = { popupId, proof: 'not-it', password: 'Quiet-meadow-12' }
  expect((await world.browser().send(wire.changePassword, { body: change })).body.code).toBe('wrong_current_password')
  expect(await rowsOf(world, id)).toMatchObject([{ details: { count: 2, password: 2 } }])
})

test('what was typed as the name of no account leaves a keyed hash in the log, and nothing else', async () => {
  await using world = await newWorld()
  const logged = vi.spyOn(world.deps.logger, 'warn')
  const before = await world.db.$count(activity)
  const reply = await guess(world, 'nobody-here@example.test', '2001:db8::1')
  await guess(world, 'nobody-here@example.test')
  await guess(world, 'somebody-else@example.test')
  await world.deps.refusals.settled()

  const nameHash = world.deps.secrets.sign('name', 'nobody-here@example.test').slice(0, 16)
  const network = '2001:db8:0:0::/64'
  const sentence = 'credentials of no account refused'
  const first = { nameHash, kind: 'password', network, requestId: reply.body.requestId }
  // In whatever order they were written.
  expect(logged.mock.calls).toHaveLength(3)
  expect(logged.mock.calls).toContainEqual([first, sentence])
  expect(logged.mock.calls).toContainEqual([expect.objectContaining({ nameHash, network: '192.0.2.1' }), sentence])
  expect(JSON.stringify(logged.mock.calls)).not.toContain('nobody-here')
  expect(await world.db.$count(activity)).toBe(before)
})

test('the owner sees them, and others cannot push out with them what the owner did', async () => {
  await using world = await newWorld()
  const { id, email } = await world.newUser()
  await world.browser().send(wire.signIn, { body: { email, password: demoPassword } })
  for (let network = 0; network < 3; network += 1) {
    await guess(world, email, `198.51.100.${network}`)
    await guess(world, email, `198.51.100.${network}`)
  }
  await world.deps.refusals.settled()
  const many = Array.from({ length: 600 }, (_, number) => ({
    ...{ at: new Date(Date.now() + number), userId: id, action: 'credentials.refused', address: `203.0.113.${number}` },
    details: { count: 1 },
  }))
  const list = async () => {
    const accessToken = await world.tokens(id, { claims: { purpose: 'activity' } })
    const reply = await world.app.inject({ method: 'POST', url: ssoActivity.path, payload: { accessToken } })
    return ssoActivity.reply.parse(reply.json()).list
  }

  expect((await list())[0]).toMatchObject({ action: 'credentials.refused', who: 'unknown', subject: '×2' })
  await world.db.insert(activity).values(many)
  const actions = (await list()).map(({ action }) => action)
  expect([actions.length, actions.at(-1)]).toEqual([51, 'session.started'])
})
