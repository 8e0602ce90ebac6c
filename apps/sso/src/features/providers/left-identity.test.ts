import { ssoEndSessions } from '@atrium/contract/active-sessions.ts'
import { startSandboxProgram } from '@atrium/server-kit/test-program.ts'
import { afterAll, expect, test } from 'vitest'
import * as providers from '../../provider-wire.ts'
import { providersAt } from '../../test/person-at-provider.ts'
import { pendingIn, signInWith } from '../../test/provider-browser.ts'
import { type Browser, demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'

const sandbox = await startSandboxProgram()
afterAll(() => sandbox[Symbol.asyncDispose]())

const settings = providersAt(sandbox.url)

interface User {
  id: string
  email: string
}

const signIn = (browser: Browser, { email }: User) =>
  browser.send(wire.signIn, { body: { email, password: demoPassword } })

/** Signs in at a provider that confirms no address. @returns the id of the new identity, which waits for its owner */
async function newIdentity(browser: Browser, { email }: User): Promise<string> {
  const person = { email, sharing: 'unconfirmed' as const }
  return pendingIn(await signInWith(browser, { provider: 'microsoft', person }))
}

/** What the owner does at another computer. */
async function endSessions(world: World, { id }: User): Promise<void> {
  const accessToken = await world.tokens(id, { claims: { purpose: 'end-sessions' } })
  const payload = { accessToken, ended: { which: 'others', ticket: 'a'.repeat(64) } }
  const reply = await world.app.inject({ method: 'POST', url: ssoEndSessions.path, payload })
  expect(reply.statusCode).toBe(200)
}

interface Leaving {
  world: World
  browser: Browser
  owner: User
  next: User
}

/** Ways in which an identity that nobody has confirmed is left in a browser. @returns its id */
const waysToLeave: Readonly<Record<string, (leaving: Leaving) => Promise<string>>> = {
  async 'its owner has signed in another way'({ browser, owner }) {
    const pendingId = await newIdentity(browser, owner)
    await signIn(browser, owner)
    return pendingId
  },
  async 'somebody else has signed in'({ browser, owner, next }) {
    const pendingId = await newIdentity(browser, owner)
    await signIn(browser, next)
    return pendingId
  },
  async 'somebody else has signed in over its owner'({ browser, owner, next }) {
    await signIn(browser, owner)
    const pendingId = await newIdentity(browser, owner)
    await signIn(browser, next)
    return pendingId
  },
  async 'the session that followed was ended elsewhere'({ world, browser, owner }) {
    const pendingId = await newIdentity(browser, owner)
    await signIn(browser, owner)
    await endSessions(world, owner)
    return pendingId
  },
  async 'the session in which it began was ended elsewhere'({ world, browser, owner }) {
    await signIn(browser, owner)
    const pendingId = await newIdentity(browser, owner)
    await endSessions(world, owner)
    return pendingId
  },
  async 'a quarter of an hour has passed'({ world, browser, owner }) {
    const pendingId = await newIdentity(browser, owner)
    world.wait(901)
    return pendingId
  },
}

test.each(Object.keys(waysToLeave))('a new identity that was not confirmed is of no use once %s', async (way) => {
  await using world = await newWorld({ settings, work: true })
  const [owner, next] = [await world.newUser(), await world.newUser()]
  const browser = world.browser()
  const pendingId = (await waysToLeave[way]?.({ world, browser, owner, next })) ?? ''

  const body = { pendingId, email: next.email, password: demoPassword }
  expect((await browser.send(providers.confirmProviderPassword, { body })).body.code).toBe('flow_spent')
  expect(await world.acts(next.id)).not.toContain('identity.linked')
})

test.each([
  ['with an address', 'unconfirmed' as const, 'ada@left.test'],
  ['without one', 'none' as const, ''],
])('the question says who signed in at the provider, %s', async (_how, sharing, email) => {
  await using world = await newWorld({ settings })
  const person = { email: 'ada@left.test', firstName: 'Ada', lastName: 'Lindqvist', sharing }
  const { body } = await signInWith(world.browser(), { provider: 'facebook', person })
  expect(body).toMatchObject({ step: 'confirm', email, name: 'Ada Lindqvist' })
})

test('who is signed in confirms a new identity, and is signed in with it', async () => {
  await using world = await newWorld({ settings, work: true })
  const owner = await world.newUser()
  const browser = world.browser()
  await signIn(browser, owner)
  const pendingId = await newIdentity(browser, owner)

  const body = { pendingId, email: owner.email, password: demoPassword }
  expect((await browser.send(providers.confirmProviderPassword, { body })).status).toBe(200)
  expect(await world.acts(owner.id)).toContain('identity.linked')
})

test('an identity is confirmed with a code while another tab signs in with a password', async () => {
  await using world = await newWorld({ settings, work: true })
  const owner = await world.newUser()
  const browser = world.browser()
  await signIn(browser, owner)
  const pendingId = await newIdentity(browser, owner)
  await browser.send(providers.sendProviderCode, { body: { pendingId, email: owner.email } })
  const { text } = await world.emailTo(owner.email, 'code')
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? ''

  const [confirmed, signedIn] = await Promise.all([
    browser.send(providers.confirmProviderCode, { body: { pendingId, email: owner.email, code } }),
    signIn(browser, owner),
  ])
  expect(signedIn.status).toBe(200)
  // Whichever was first.
  expect([200, 410]).toContain(confirmed.status)
})
