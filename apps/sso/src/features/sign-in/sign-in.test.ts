import { expect, test } from 'vitest'
import { hashOf } from '../../secrets.ts'
import { account, demoPassword, newWorld } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { delaySteps } from '../delays/delays.writes.ts'

const service = `${account}/account?signin=abc`

test('the right password redirects to the service with a ticket, and starts a session with its own cookie', async () => {
  await using world = await newWorld()
  const { id, email } = await world.newUser()
  const reply = await world.browser().send(wire.signIn, { body: { email, password: demoPassword, service } })
  expect(reply.status).toBe(200)
  expect(reply.body.redirectUrl).toMatch(/^http:\/\/localhost:3000\/account\?signin=abc&ticket=ST-/)

  const cookie = reply.cookies.find(({ name }) => name === 'sso_session')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
  const stored = await world.db.select().from(sessions)
  expect(stored.map(({ token }) => token)).toContain(hashOf(cookie?.value ?? ''))
  expect(await world.acts(id)).toEqual(['session.started', 'ticket.issued'])
})

test('under https cookies are secure and bound to the host', async () => {
  await using world = await newWorld({ config: { SSO_URL: 'https://sso.example' } })
  const { email } = await world.newUser()
  const reply = await world
    .browser()
    .send(wire.signIn, { body: { email, password: demoPassword } }, { origin: 'https://sso.example' })
  expect(reply.cookies.map(({ name, secure }) => [name, secure])).toEqual([
    ['__Host-sso_session', true],
    ['__Host-sso_browser', true],
    ['__Host-sso_device', true],
  ])
})

test('method POST returns the ticket to the page, not in the address', async () => {
  await using world = await newWorld()
  const { email } = await world.newUser()
  const reply = await world
    .browser()
    .send(wire.signIn, { body: { email, password: demoPassword, service, method: 'POST' } })
  expect(reply.body).toMatchObject({ redirectUrl: service, ticket: expect.stringMatching(/^ST-/) })
})

test('a wrong password and an unknown address get the same reply', async () => {
  await using world = await newWorld()
  const { email } = await world.newUser()
  const wrong = await world.browser().send(wire.signIn, { body: { email, password: 'not this one' } })
  const unknown = await world
    .browser()
    .send(wire.signIn, { body: { email: 'no@example.test', password: 'not this one' } })
  expect(wrong.status).toBe(401)
  const { requestId: _, ...first } = wrong.body
  const { requestId: __, ...second } = unknown.body
  expect(first).toEqual(second)
  expect(wrong.cookies).toEqual([])
})

test('an unknown address takes as long as a wrong password', async () => {
  await using world = await newWorld()
  const { email } = await world.newUser()
  // What takes long is the hash, which is computed here: the time on the clock would be that of whatever else the machine does.
  const timeOf = async (address: string) => {
    const before = process.cpuUsage()
    await world.browser().send(wire.signIn, { body: { email: address, password: 'not this one' } })
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  await timeOf('warm@example.test')
  const known: number[] = []
  const unknown: number[] = []
  for (let round = 0; round < 9; round += 1) {
    known.push(await timeOf(email))
    unknown.push(await timeOf('no@example.test'))
  }
  const ratio = Math.min(...unknown) / Math.min(...known)
  expect(ratio).toBeGreaterThan(0.5)
  expect(ratio).toBeLessThan(2)
})

test('case and surrounding spaces of the address do not matter', async () => {
  await using world = await newWorld()
  await world.newUser({ email: 'mixed@example.test' })
  const reply = await world
    .browser()
    .send(wire.signIn, { body: { email: ' Mixed@Example.Test ', password: demoPassword } })
  expect(reply.status).toBe(200)
})

test('an unregistered service is refused before the password is checked', async () => {
  await using world = await newWorld()
  const { id, email } = await world.newUser()
  const body = { email, password: demoPassword, service: 'https://evil.example/' }
  expect((await world.browser().send(wire.signIn, { body })).body.code).toBe('service_refused')
  expect(await world.acts(id)).toEqual([])
})

test('another site’s page cannot sign anybody in', async () => {
  await using world = await newWorld()
  const { email } = await world.newUser()
  const input = { body: { email, password: demoPassword } }
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: account },
    { 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of foreign) {
    const reply = await world.browser().send(wire.signIn, input, headers)
    expect([headers, reply.status, reply.body.code]).toEqual([headers, 403, 'foreign_origin'])
  }
  const form = await world.app.inject({
    method: 'POST',
    url: '/sso/sign-in/',
    headers: { origin: 'http://localhost:3001', 'content-type': 'application/x-www-form-urlencoded' },
    payload: `email=${email}&password=${demoPassword}`,
  })
  expect(form.statusCode).toBe(415)
})

test('invalid text is refused in the email address and the password', async () => {
  await using world = await newWorld()
  for (const body of [
    { email: 'a\0@example.test', password: 'x' },
    { email: 'a@example.test', password: 'broken \ud800' },
  ]) {
    expect((await world.browser().send(wire.signIn, { body })).status).toBe(422)
  }
})

test('every sign-in starts a new session, and ends this browser’s previous one', async () => {
  await using world = await newWorld()
  const { id, email } = await world.newUser()
  const browser = world.browser()
  await browser.send(wire.signIn, { body: { email, password: demoPassword } })
  const first = browser.cookies.get('sso_session')
  await browser.send(wire.signIn, { body: { email, password: demoPassword } })
  const second = browser.cookies.get('sso_session')
  expect(second).not.toBe(first)

  const old = world.browser()
  old.cookies.set('sso_session', first ?? '')
  expect((await old.get(`/cas/login?service=${encodeURIComponent(service)}`)).statusCode).toBe(200)
  expect(await world.acts(id)).toEqual(['session.started', 'session.started', 'session.ended'])
})

const few = [{ points: 3, seconds: 60 }]

test('after a few wrong passwords a sign-in must wait, and is told how long', async () => {
  await using world = await newWorld({ delays: { account: few } })
  const { email } = await world.newUser()
  const attempt = (address: string) =>
    world.browser(address).send(wire.signIn, { body: { email, password: 'wrong one' } })
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) expect((await attempt(address)).status).toBe(401)

  const refused = await attempt('192.0.2.4')
  expect(refused.status).toBe(429)
  expect(refused.body.code).toBe('too_often')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
})

test('an address without an account must wait just the same', async () => {
  await using world = await newWorld({ delays: { account: few } })
  const body = { email: 'nobody-at-all@example.test', password: 'wrong one' }
  const statuses = []
  for (let round = 0; round < 4; round += 1) statuses.push((await world.browser().send(wire.signIn, { body })).status)
  expect(statuses).toEqual([401, 401, 401, 429])
})

test('the delay grows: only failures count for the longer allowance, not refused tries', async () => {
  const steps = [
    { points: 2, seconds: 1 },
    { points: 4, seconds: 60 },
  ]
  await using world = await newWorld({ delays: { account: steps } })
  const { email } = await world.newUser()
  const attempt = async () => {
    const reply = await world.browser().send(wire.signIn, { body: { email, password: 'wrong one' } })
    return { status: reply.status, wait: Number(reply.headers['retry-after'] ?? 0) }
  }
  const round = async () => [await attempt(), await attempt(), await attempt()]
  expect((await round()).map(({ status }) => status)).toEqual([401, 401, 429])
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect((await round()).map(({ status }) => status)).toEqual([401, 401, 429])
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const last = await attempt()
  expect(last.status).toBe(429)
  expect(last.wait).toBeGreaterThan(10)
})

test('wrong passwords of others do not lock out a browser that the account knows', async () => {
  await using world = await newWorld({ delays: { account: few, address: [{ points: 5, seconds: 60 }] } })
  const { email } = await world.newUser()
  const owner = world.browser('198.51.100.9')
  expect((await owner.send(wire.signIn, { body: { email, password: demoPassword } })).status).toBe(200)

  const attacker = world.browser('198.51.100.9')
  for (let round = 0; round < 8; round += 1)
    await attacker.send(wire.signIn, { body: { email, password: 'wrong one' } })
  expect((await attacker.send(wire.signIn, { body: { email, password: demoPassword } })).status).toBe(429)
  expect((await owner.send(wire.signIn, { body: { email, password: demoPassword } })).status).toBe(200)
})

test('a vendor sets how many tries one network has: many people may sign in from one office', async () => {
  const tries = async (signInsPerAddress: number) => {
    await using world = await newWorld({ delays: { address: delaySteps(signInsPerAddress).address } })
    const { email } = await world.newUser()
    const statuses = new Set<number>()
    for (let round = 0; round < 4; round += 1) {
      const stranger = world.browser('198.51.100.11')
      statuses.add((await stranger.send(wire.signIn, { body: { email, password: demoPassword } })).status)
    }
    return [...statuses]
  }

  expect(await tries(15)).toEqual([200, 429])
  expect(await tries(300)).toEqual([200])
})

test('a forged or stolen device cookie is ignored', async () => {
  await using world = await newWorld({ delays: { account: few } })
  const { email } = await world.newUser()
  const other = await world.newUser()
  const forger = world.browser()
  await forger.send(wire.signIn, { body: { email: other.email, password: demoPassword } })
  for (let round = 0; round < 3; round += 1) {
    await world.browser().send(wire.signIn, { body: { email, password: 'wrong one' } })
  }
  expect((await forger.send(wire.signIn, { body: { email, password: demoPassword } })).status).toBe(429)
  forger.cookies.set('sso_device', `${hashOf(email)}.abc.def`)
  expect((await forger.send(wire.signIn, { body: { email, password: demoPassword } })).status).toBe(429)
})

test('two hundred concurrent guesses do not exceed the allowance', async () => {
  await using world = await newWorld({ delays: { account: few } })
  const { email } = await world.newUser()
  const replies = await Promise.all(
    Array.from({ length: 200 }, () => world.browser().send(wire.signIn, { body: { email, password: 'wrong one' } })),
  )
  const statuses = replies.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(3)
  expect(statuses.every((status) => [401, 429, 503].includes(status))).toBe(true)
})
