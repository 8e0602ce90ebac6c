import { randomUUID } from 'node:crypto'
import { providerNames } from '@atrium/contract/login-providers.ts'
import { startSandboxProgram } from '@atrium/server-kit/test-program.ts'
import { and, eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import * as providers from '../../provider-wire.ts'
import { type Person, providersAt } from '../../test/person-at-provider.ts'
import { answerOf, pendingIn, signInWith } from '../../test/provider-browser.ts'
import { account, type Browser, demoPassword, newWorld, type World } from '../../test/world.ts'
import { accounts, users } from '../accounts/accounts.tables.ts'
import { activity } from '../activity/activity.tables.ts'

const sandbox = await startSandboxProgram()
afterAll(() => sandbox[Symbol.asyncDispose]())
const settings = providersAt(sandbox.url)
const newPerson = (values: object = {}) => ({
  email: `${randomUUID()}@example.test`,
  firstName: 'Grace',
  lastName: 'Okafor',
  ...values,
})

async function codeTo(world: World, email: string): Promise<string> {
  const { text } = await world.emailTo(email, 'is your code')
  return /\b\d{6}\b/.exec(text)?.[0] ?? ''
}

/** Asks for a code and enters it, in two groups as people write it. */
async function confirmByCode(
  world: World,
  browser: Browser,
  { pendingId, email }: { pendingId: string; email: string },
) {
  expect((await browser.send(providers.sendProviderCode, { body: { pendingId, email } })).status).toBe(200)
  const digits = await codeTo(world, email)
  const code = `${digits.slice(0, 3)}-${digits.slice(3)}`
  return browser.send(providers.confirmProviderCode, { body: { pendingId, email, code } })
}

const userAt = async (world: World, email: string) =>
  (await world.db.select().from(users).where(eq(users.email, email)))[0]
const identitiesAt = (world: World, userId: string) =>
  world.db.select().from(accounts).where(eq(accounts.userId, userId))

test.each(providerNames)(
  '%s: a person whose address is not confirmed enters a code, has a new account, and signs in to it again',
  async (provider) => {
    await using world = await newWorld({ settings, work: true })
    const person = newPerson({ sharing: 'unconfirmed' })
    const browser = world.browser()
    const service = `${account}/account?signin=abc`

    const first = await signInWith(browser, { provider, person, service })
    expect(first.body).toMatchObject({ step: 'confirm', email: person.email, hasAccount: false })
    expect(await userAt(world, person.email)).toBeUndefined()
    const confirmed = await confirmByCode(world, browser, { pendingId: pendingIn(first), email: person.email })
    expect(confirmed.body.redirectUrl).toMatch(/^http:\/\/localhost:3000\/account\?signin=abc&ticket=ST-/)

    const user = await userAt(world, person.email)
    expect(user).toMatchObject({ emailVerified: true, firstName: 'Grace', lastName: 'Okafor' })
    const again = await signInWith(world.browser(), { provider, person })
    expect(again.body).toMatchObject({ step: 'signed-in', redirectUrl: `${account}/account` })
    expect(await world.acts(user?.id ?? '')).toEqual([
      'account.created',
      'identity.linked',
      'session.started',
      'ticket.issued',
      'session.started',
    ])
    // Which way somebody came in tells the operator whose account was misused.
    const started = and(eq(activity.userId, user?.id ?? ''), eq(activity.action, 'session.started'))
    const entries = await world.db.select({ details: activity.details }).from(activity).where(started)
    expect(entries.map(({ details }) => details)).toEqual([{ provider }, { provider }])
  },
)

test('google: an address of a mailbox that it hosts makes an account without a code', async () => {
  await using world = await newWorld({ settings })
  const person = newPerson()
  const reply = await signInWith(world.browser(), { provider: 'google', person })
  expect(reply.body).toMatchObject({ step: 'signed-in' })
  expect(reply.cookies.map(({ name }) => name)).toContain('sso_session')
  expect(await userAt(world, person.email)).toMatchObject({ emailVerified: true })
})

test.each(providerNames.filter((name) => name !== 'google'))(
  '%s: an address counts as unconfirmed, whatever it says',
  async (provider) => {
    await using world = await newWorld({ settings })
    const person = newPerson({ sharing: 'confirmed' })
    const reply = await signInWith(world.browser(), { provider, person })
    expect(reply.body).toMatchObject({ step: 'confirm', hasAccount: false })
    expect(await userAt(world, person.email)).toBeUndefined()
  },
)

test('google: an address of a mailbox that it does not host counts as unconfirmed', async () => {
  await using world = await newWorld({ settings })
  const signIn = (person: Person) => signInWith(world.browser(), { provider: 'google', person })

  const elsewhere = await signIn(newPerson({ sharing: 'external' }))
  const own = await signIn(newPerson({ sharing: 'external', email: `${randomUUID()}@gmail.com` }))

  expect([elsewhere.body.step, own.body.step]).toEqual(['confirm', 'signed-in'])
})

test.each(['google', 'facebook'] as const)(
  '%s: an address that the account page would refuse counts as none',
  async (provider) => {
    await using world = await newWorld({ settings })
    const email = `r&d-${randomUUID()}@example.test`
    const reply = await signInWith(world.browser(), { provider, person: newPerson({ email }) })
    expect(reply.body).toMatchObject({ step: 'confirm', email: '', hasAccount: false })
    expect(await userAt(world, email)).toBeUndefined()
  },
)

test('a confirmed address of an account is never linked silently: its password signs in and links', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id, email } = await world.newUser()
  const person = newPerson({ email })
  const browser = world.browser()
  const reply = await signInWith(browser, { provider: 'google', person })
  expect(reply.body).toMatchObject({ step: 'confirm', email, hasAccount: true })
  expect(reply.cookies.map(({ name }) => name)).not.toContain('sso_session')
  expect(await identitiesAt(world, id)).toHaveLength(1)

  const proof = (password: string) =>
    browser.send(providers.confirmProviderPassword, { body: { pendingId: pendingIn(reply), email, password } })
  expect((await proof('not this one')).body.code).toBe('wrong_credentials')
  expect((await proof(demoPassword)).status).toBe(200)
  expect((await signInWith(world.browser(), { provider: 'google', person })).body.step).toBe('signed-in')
  await world.emailTo(email, 'Google')
  expect((await proof(demoPassword)).body.code).toBe('flow_spent')
})

test('a code to the address of an account signs in and links as well', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id, email } = await world.newUser()
  const browser = world.browser()
  const reply = await signInWith(browser, { provider: 'google', person: newPerson({ email }) })
  expect((await confirmByCode(world, browser, { pendingId: pendingIn(reply), email })).status).toBe(200)
  expect(await world.acts(id)).toEqual(['identity.linked', 'session.started'])
})

test('two tabs that confirm one identity concurrently, with a code and with the password, sign in once and never fail', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id, email } = await world.newUser()
  const browser = world.browser()
  const pendingId = pendingIn(await signInWith(browser, { provider: 'google', person: newPerson({ email }) }))
  await browser.send(providers.sendProviderCode, { body: { pendingId, email } })
  const code = await codeTo(world, email)
  const replies = await Promise.all([
    browser.send(providers.confirmProviderCode, { body: { pendingId, email, code } }),
    browser.send(providers.confirmProviderPassword, { body: { pendingId, email, password: demoPassword } }),
  ])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 410])
  expect(await identitiesAt(world, id)).toHaveLength(2)
})

test('an unconfirmed address says nothing about an account: known and unknown ones get the same replies', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id, email } = await world.newUser()
  const known = world.browser()
  const unknown = world.browser()
  const stranger = newPerson({ email, sharing: 'unconfirmed' })
  const first = await signInWith(known, { provider: 'google', person: stranger })
  const other = newPerson({ sharing: 'unconfirmed' })
  const second = await signInWith(unknown, { provider: 'google', person: other })
  const { pendingId: _, ...one } = { pendingId: '', ...first.body, email: '' }
  const { pendingId: __, ...two } = { pendingId: '', ...second.body, email: '' }
  expect(one).toEqual(two)

  const send = (browser: Browser, pendingId: string, address: string) =>
    browser.send(providers.sendProviderCode, { body: { pendingId, email: address } })
  expect((await send(known, pendingIn(first), email)).body).toEqual(
    (await send(unknown, pendingIn(second), other.email)).body,
  )
  // Without the code, which only the owner of the mailbox has, nothing happens.
  const guess = await known.send(providers.confirmProviderCode, {
    body: { pendingId: pendingIn(first), email, code: '000000' },
  })
  expect(guess.body.code).toBe('wrong_code')
  expect((await world.acts(id)).filter((action) => action !== 'credentials.refused')).toEqual([])
})

test('the same subject of another tenant or institution is another person', async () => {
  await using world = await newWorld({ settings, work: true })
  const realms = [
    ['microsoft', '5f0c6a1e-0b1d-4a8e-9c5a-2f4b8f0d7c11', 'a1b7d0c4-9d3e-4f52-8c77-6c0e5a9b3d22'],
    ['education', 'https://idp.northfield.test/entity', 'https://login.kamogawa.test/entity'],
  ] as const
  for (const [provider, own, foreign] of realms) {
    const person = newPerson({ sharing: 'unconfirmed' })
    const browser = world.browser()
    const first = await signInWith(browser, { provider, person: { ...person, realm: own } })
    await confirmByCode(world, browser, { pendingId: pendingIn(first), email: person.email })
    const elsewhere = await signInWith(world.browser(), { provider, person: { ...person, realm: foreign } })
    expect([provider, elsewhere.body.step]).toEqual([provider, 'confirm'])
    const back = await signInWith(world.browser(), { provider, person: { ...person, realm: own } })
    expect([provider, back.body.step]).toEqual([provider, 'signed-in'])
  }
})

test('a person without an address gives one, and it is confirmed by a code', async () => {
  await using world = await newWorld({ settings, work: true })
  const person = newPerson({ sharing: 'none' })
  const browser = world.browser()
  const reply = await signInWith(browser, { provider: 'facebook', person })
  expect(reply.body).toMatchObject({ step: 'confirm', email: '' })
  const confirmed = await confirmByCode(world, browser, { pendingId: pendingIn(reply), email: person.email })
  expect(confirmed.status).toBe(200)
  expect(await userAt(world, person.email)).toMatchObject({ emailVerified: true })
})

test('two tabs that sign in a new person concurrently have one account, and both are signed in', async () => {
  await using world = await newWorld({ settings })
  const person = newPerson()
  const tabs = [world.browser(), world.browser()]
  const answers = await Promise.all(tabs.map((tab) => answerOf(tab, { provider: 'google', person })))
  const replies = await Promise.all(
    tabs.map((tab, place) =>
      tab.send(providers.finishProvider, { body: { provider: 'google', answer: answers[place] ?? '' } }),
    ),
  )
  expect(replies.map(({ body }) => body.step)).toEqual(['signed-in', 'signed-in'])
  const user = await userAt(world, person.email)
  expect(await identitiesAt(world, user?.id ?? '')).toHaveLength(1)
})

test('another subject with the address of an account is another person', async () => {
  await using world = await newWorld({ settings })
  const person = newPerson()
  expect((await signInWith(world.browser(), { provider: 'google', person })).body.step).toBe('signed-in')
  const other = await signInWith(world.browser(), { provider: 'google', person: { ...person, account: 'reused' } })
  expect(other.body).toMatchObject({ step: 'confirm', hasAccount: true })
})

test('five of two hundred concurrent guesses of a code are compared', async () => {
  await using world = await newWorld({ settings, work: true })
  const person = newPerson({ sharing: 'unconfirmed' })
  const browser = world.browser()
  const pendingId = pendingIn(await signInWith(browser, { provider: 'lenovo', person }))
  await browser.send(providers.sendProviderCode, { body: { pendingId, email: person.email } })
  const code = await codeTo(world, person.email)
  const wrong = code === '000000' ? '000001' : '000000'
  const replies = await Promise.all(
    Array.from({ length: 200 }, () =>
      browser.send(providers.confirmProviderCode, { body: { pendingId, email: person.email, code: wrong } }),
    ),
  )
  expect(replies.filter(({ body }) => body.code === 'wrong_code')).toHaveLength(5)
  expect(
    (await browser.send(providers.confirmProviderCode, { body: { pendingId, email: person.email, code } })).body.code,
  ).toBe('code_spent')
})

test('a code works for ten minutes, for its address, and in the browser that began', async () => {
  await using world = await newWorld({ settings, work: true })
  const person = newPerson({ sharing: 'unconfirmed' })
  const browser = world.browser()
  const pendingId = pendingIn(await signInWith(browser, { provider: 'google', person }))
  await browser.send(providers.sendProviderCode, { body: { pendingId, email: person.email } })
  const code = await codeTo(world, person.email)
  expect(
    (await world.browser().send(providers.confirmProviderCode, { body: { pendingId, email: person.email, code } })).body
      .code,
  ).toBe('flow_spent')
  // Whoever changed the address in the form meant that one.
  const other = await browser.send(providers.confirmProviderCode, {
    body: { pendingId, email: `x${person.email}`, code },
  })
  expect(other.body.code).toBe('code_spent')
  const tooSoon = await browser.send(providers.sendProviderCode, { body: { pendingId, email: person.email } })
  expect(tooSoon.body.code).toBe('too_often')
  world.wait(601)
  expect(
    (await browser.send(providers.confirmProviderCode, { body: { pendingId, email: person.email, code } })).body.code,
  ).toBe('code_spent')
  world.wait(1200)
  expect(
    (await browser.send(providers.confirmProviderCode, { body: { pendingId, email: person.email, code } })).body.code,
  ).toBe('flow_spent')
})

test('a code that is requested too soon is not counted, since none is sent', async () => {
  await using world = await newWorld({ settings, delays: { email: [{ points: 2, seconds: 900 }] } })
  const [person, browser] = [newPerson({ sharing: 'unconfirmed' }), world.browser()]
  const body = { pendingId: pendingIn(await signInWith(browser, { provider: 'google', person })), email: person.email }
  const send = async () => (await browser.send(providers.sendProviderCode, { body })).status
  expect([await send(), await send(), await send()]).toEqual([200, 429, 429])
  world.wait(31)
  expect(await send()).toBe(200)
})

test('a ticket of a provider’s sign-in is no new login, since the provider may not have asked for a password', async () => {
  await using world = await newWorld({ settings })
  const service = `${account}/account?signin=abc`
  const person = newPerson()
  const validated = async (renew: object) => {
    const reply = await signInWith(world.browser(), { provider: 'google', person, service, method: 'POST' })
    expect(reply.body).toMatchObject({ redirectUrl: service, ticket: expect.stringMatching(/^ST-/) })
    const ticket = reply.body.step === 'signed-in' ? (reply.body.ticket ?? '') : ''
    return (await world.browser().get(`/cas/validate?${new URLSearchParams({ service, ticket, ...renew })}`)).body
  }
  expect(await validated({})).toMatch(/^yes/)
  expect(await validated({ renew: 'true' })).toMatch(/^no/)
})

test('an unregistered service is refused before the provider is involved', async () => {
  await using world = await newWorld({ settings })
  const body = { provider: 'google' as const, service: 'https://evil.example/' }
  expect((await world.browser().send(providers.startProvider, { body })).body.code).toBe('service_refused')
})

test('only providers that are set up have buttons', async () => {
  await using world = await newWorld({ settings: { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' } })
  expect((await world.browser().get('/cas/login')).body).toContain('"providers":["google"]')
  const removed = await world.browser().send(providers.startProvider, { body: { provider: 'lenovo' } })
  expect([removed.status, removed.body.code]).toEqual([404, 'provider_removed'])
})

test('the visit of the callback page changes nothing: the answer is redeemed by the page', async () => {
  await using world = await newWorld({ settings })
  const browser = world.browser()
  const service = `${account}/account`
  const answer = await answerOf(browser, { provider: 'google', person: newPerson(), service, method: 'POST' })
  for (let visit = 0; visit < 2; visit += 1) {
    const page = await browser.get(`/callback/google${answer}`)
    expect(page.body).toContain('"provider-return"')
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' ${account}`)
  }
  const finished = await browser.send(providers.finishProvider, { body: { provider: 'google', answer } })
  expect(finished.status).toBe(200)
})
