import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { account, type Browser, demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { users } from '../accounts/accounts.tables.ts'

const password = 'Quiet-meadow-12'
let count = 0

function newcomer(values: object = {}) {
  count += 1
  return { firstName: 'Grace', lastName: 'Okafor', email: `newcomer-${count}@example.test`, password, ...values }
}

async function linkTo(world: World, email: string): Promise<string> {
  const message = await world.emailTo(email, 'Confirm your email address')
  const [, token = ''] = /\/confirm-email#token=([\w-]+)/.exec(message.text) ?? []
  return token
}

test('an account is created when the emailed link is confirmed, and can then sign in', async () => {
  await using world = await newWorld({ work: true })
  const body = newcomer({ service: `${account}/account?signin=abc` })
  expect((await world.browser().send(wire.signUp, { body })).status).toBe(200)
  expect(await world.db.select().from(users).where(eq(users.email, body.email))).toEqual([])

  const token = await linkTo(world, body.email)
  const signIn = { body: { email: body.email, password } }
  expect((await world.browser().send(wire.signIn, signIn)).status).toBe(401)
  const confirmed = await world.browser().send(wire.confirmEmail, { body: { token, password } })
  expect(confirmed.body).toEqual({ email: body.email, service: `${account}/account?signin=abc` })

  expect((await world.browser().send(wire.signIn, signIn)).status).toBe(200)
  const [user] = await world.db.select().from(users).where(eq(users.email, body.email))
  expect(user).toMatchObject({ emailVerified: true, firstName: 'Grace', lastName: 'Okafor' })
  expect(await world.acts(user?.id ?? '')).toEqual(['account.created', 'session.started'])
})

test('the link requires the chosen password, so a stranger’s sign-up with this address does not give access', async () => {
  await using world = await newWorld({ work: true })
  const body = newcomer({ password: 'The-strangers-own-1' })
  await world.browser().send(wire.signUp, { body })
  const token = await linkTo(world, body.email)

  const reply = await world.browser().send(wire.confirmEmail, { body: { token, password } })
  expect([reply.status, reply.body.code]).toEqual([401, 'wrong_chosen_password'])
  const nothing = await world.browser().send(wire.confirmEmail, { body: { token, password: '' } })
  expect([nothing.status, nothing.body.errors?.[0]?.code]).toEqual([422, 'password_required'])
  expect(await world.db.select().from(users).where(eq(users.email, body.email))).toEqual([])
  const stranger = { body: { email: body.email, password: 'The-strangers-own-1' } }
  expect((await world.browser().send(wire.signIn, stranger)).status).toBe(401)
})

test('wrong passwords of others do not lock out the browser in which a sign-up was confirmed', async () => {
  await using world = await newWorld({ work: true, delays: { account: [{ points: 3, seconds: 3600 }] } })
  const body = newcomer()
  await world.browser().send(wire.signUp, { body })
  const token = await linkTo(world, body.email)
  const signIn = (browser: Browser, tried: string) =>
    browser.send(wire.signIn, { body: { email: body.email, password: tried } })
  for (let round = 0; round < 3; round += 1) expect((await signIn(world.browser(), 'not this one')).status).toBe(401)

  const confirm = (browser: Browser, chosen: string) =>
    browser.send(wire.confirmEmail, { body: { token, password: chosen } })
  // The link alone is not enough to be known.
  const stranger = world.browser()
  expect((await confirm(stranger, 'not this one')).status).toBe(401)
  expect((await signIn(stranger, password)).status).toBe(429)

  const owner = world.browser()
  expect((await confirm(owner, password)).status).toBe(200)
  expect((await signIn(owner, password)).status).toBe(200)
})

test('of twenty concurrent passwords for one link five are checked, then the link no longer works', async () => {
  await using world = await newWorld({ work: true })
  const body = newcomer()
  await world.browser().send(wire.signUp, { body })
  const token = await linkTo(world, body.email)
  const guess = { body: { token, password: 'not this one' } }
  const replies = await Promise.all(Array.from({ length: 20 }, () => world.browser().send(wire.confirmEmail, guess)))
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(replies.filter(({ status }) => status === 410)).toHaveLength(15)
  expect((await world.browser().send(wire.confirmEmail, { body: { token, password } })).status).toBe(410)
})

test('a link works once, even when it is confirmed twice concurrently', async () => {
  await using world = await newWorld({ work: true })
  const body = newcomer()
  await world.browser().send(wire.signUp, { body })
  const token = await linkTo(world, body.email)
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => world.browser().send(wire.confirmEmail, { body: { token, password } })),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410])
})

test('a link works for a day', async () => {
  await using world = await newWorld({ work: true })
  const body = newcomer()
  await world.browser().send(wire.signUp, { body })
  const token = await linkTo(world, body.email)
  world.wait(24 * 3600 + 1)
  const reply = await world.browser().send(wire.confirmEmail, { body: { token, password } })
  expect([reply.status, reply.body.code]).toEqual([410, 'link_spent'])
})

test('an address that has an account gets the same reply, and another email', async () => {
  await using world = await newWorld({ work: true })
  const { email } = await world.newUser()
  const known = await world.browser().send(wire.signUp, { body: newcomer({ email: email.toUpperCase() }) })
  const unknown = await world.browser().send(wire.signUp, { body: newcomer() })
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body])

  const message = await world.emailTo(email, 'You already have')
  expect(message.text).not.toContain('Grace')
  expect(message.text).toContain('http://localhost:3001/forgotten-password')
  expect((await world.browser().send(wire.signIn, { body: { email, password } })).status).toBe(401)
  expect((await world.browser().send(wire.signIn, { body: { email, password: demoPassword } })).status).toBe(200)
})

test('of two sign-ups with one address, the first confirmed link creates the account, the other no longer works', async () => {
  await using world = await newWorld({ work: true })
  const body = newcomer()
  await world.browser().send(wire.signUp, { body })
  const first = await linkTo(world, body.email)
  world.emails.length = 0
  await world.browser().send(wire.signUp, { body: { ...body, password: 'Another-river-9' } })
  const second = await linkTo(world, body.email)

  expect((await world.browser().send(wire.confirmEmail, { body: { token: first, password } })).status).toBe(200)
  expect(
    (await world.browser().send(wire.confirmEmail, { body: { token: second, password: 'Another-river-9' } })).status,
  ).toBe(410)
})

test('every field is validated, and reported with its rule', async () => {
  await using world = await newWorld()
  const faults = [
    [{ firstName: ' ' }, 'body.firstName', 'first_name_required'],
    [{ lastName: '' }, 'body.lastName', 'last_name_required'],
    [{ firstName: 'x'.repeat(33) }, 'body.firstName', 'too_long'],
    [{ email: 'not an address' }, 'body.email', 'email_invalid'],
    [{ password: '' }, 'body.password', 'password_required'],
    [{ password: 'short-7' }, 'body.password', 'password_too_short'],
    [{ password: 'Password' }, 'body.password', 'password_common'],
    [{ password: 'x'.repeat(129) }, 'body.password', 'password_too_long'],
    [{ password: 'x'.repeat(2000) }, 'body.password', 'password_too_long'],
  ] as const
  for (const [fault, path, code] of faults) {
    const reply = await world.browser().send(wire.signUp, { body: newcomer(fault) })
    expect([reply.status, reply.body.errors?.[0]]).toEqual([422, expect.objectContaining({ path, code })])
  }
})

test('one network can request few emails to an address, of all kinds together', async () => {
  await using world = await newWorld({ delays: { email: [{ points: 2, seconds: 60 }] } })
  const body = newcomer()
  const statuses = []
  for (let round = 0; round < 3; round += 1) statuses.push((await world.browser().send(wire.signUp, { body })).status)
  expect(statuses).toEqual([200, 200, 429])
  expect((await world.browser().send(wire.requestPasswordReset, { body: { email: body.email } })).status).toBe(429)
})

test('a stranger who requests many emails blocks neither another site nor a known browser', async () => {
  const few = [{ points: 2, seconds: 60 }]
  await using world = await newWorld({ delays: { email: few, mailbox: [{ points: 4, seconds: 60 }] } })
  const { email } = await world.newUser()
  const owner = world.browser('2001:db8:1:1::1')
  await owner.send(wire.signIn, { body: { email, password: demoPassword } })
  const ask = async (browser: Browser) => (await browser.send(wire.requestPasswordReset, { body: { email } })).status
  const from = (address: string) => ask(world.browser(address))

  expect([await from('2001:db8:1:1::2'), await from('2001:db8:1:2::3'), await from('2001:db8:1:3::4')]).toEqual([
    200, 200, 429,
  ])
  expect([await from('2001:db8:2:1::1'), await from('192.0.2.7')]).toEqual([200, 200])
  // The limit of all sites is reached; only a browser that the account knows has its own allowance.
  expect(await from('192.0.2.8')).toBe(429)
  expect([await ask(owner), await ask(owner), await ask(owner)]).toEqual([200, 200, 429])
})

test('an unregistered service is refused', async () => {
  await using world = await newWorld()
  const reply = await world.browser().send(wire.signUp, { body: newcomer({ service: 'https://evil.example/' }) })
  expect([reply.status, reply.body.code]).toEqual([403, 'service_refused'])
})
