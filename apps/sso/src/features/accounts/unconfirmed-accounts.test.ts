import { startSandboxProgram } from '@atrium/server-kit/test-program.ts'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import * as providers from '../../provider-wire.ts'
import { providersAt } from '../../test/person-at-provider.ts'
import { pendingIn, signInWith } from '../../test/provider-browser.ts'
import { account, demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { accounts } from './accounts.tables.ts'
import { createAccount } from './accounts.writes.ts'

const sandbox = await startSandboxProgram()
afterAll(() => sandbox[Symbol.asyncDispose]())

const service = `${account}/account?signin=abc`
const chosen = 'Quiet-meadow-12'

/** An account of another system, which did not know whether the address is the person's. */
async function unconfirmed(world: World) {
  const email = `${crypto.randomUUID()}@example.test`
  const passwordHash = await world.deps.hashing.hash(demoPassword)
  const person = { email, emailVerified: false, firstName: 'Ada', lastName: 'L', locale: 'en-us', passwordHash }
  const id = (await world.db.transaction((tx) => createAccount(tx, world.deps.accounts, person))) ?? ''
  return { id, email }
}

async function signIn(world: World, email: string, password: string) {
  const { status, body } = await world.browser().send(wire.signIn, { body: { email, password, service } })
  if (status !== 200) return { status, answer: '' }
  const ticket = new URL(body.redirectUrl).searchParams.get('ticket') ?? ''
  const reply = await world.browser().get(`/cas/p3/serviceValidate?${new URLSearchParams({ service, ticket })}`)
  return { status, answer: reply.body }
}

test('services are told that the address is not confirmed, until a password is chosen with an emailed link', async () => {
  await using world = await newWorld({ work: true })
  const { id, email } = await unconfirmed(world)
  expect((await signIn(world, email, demoPassword)).answer).toContain('<cas:emailVerified>false</cas:emailVerified>')
  // Whoever knows the password of the system before may have linked a provider.
  const linked = {
    id: crypto.randomUUID(),
    accountId: 'stranger',
    providerId: 'google',
    authority: 'a',
    userId: id,
    email,
  }
  await world.db.insert(accounts).values(linked)

  await world.browser().send(wire.requestPasswordReset, { body: { email } })
  const { text } = await world.emailTo(email, 'Choose a new password')
  const token = /#token=([\w-]+)/.exec(text)?.[1] ?? ''
  expect((await world.browser().send(wire.choosePassword, { body: { token, password: chosen } })).status).toBe(200)

  expect((await signIn(world, email, chosen)).answer).toContain('<cas:emailVerified>true</cas:emailVerified>')
  expect((await signIn(world, email, demoPassword)).status).toBe(401)
  const ways = await world.db.select().from(accounts).where(eq(accounts.userId, id))
  expect(ways.map(({ providerId }) => providerId)).toEqual(['credential'])
})

test('a code to its address, entered after signing in with a provider, confirms it too, and ends the old password and its sessions', async () => {
  await using world = await newWorld({ settings: providersAt(sandbox.url), work: true })
  const { id, email } = await unconfirmed(world)
  const stranger = world.browser()
  await stranger.send(wire.signIn, { body: { email, password: demoPassword } })
  expect((await stranger.get('/cas/login')).body).toContain('"signed-in"')

  const browser = world.browser()
  const person = { email, firstName: 'Grace', lastName: 'Okafor', sharing: 'unconfirmed' as const }
  const pendingId = pendingIn(await signInWith(browser, { provider: 'google', person }))
  await browser.send(providers.sendProviderCode, { body: { pendingId, email } })
  const { text } = await world.emailTo(email, 'is your code')
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? ''
  expect((await browser.send(providers.confirmProviderCode, { body: { pendingId, email, code } })).status).toBe(200)

  expect((await stranger.get('/cas/login')).body).toContain('"sign-in"')
  expect((await signIn(world, email, demoPassword)).status).toBe(401)
  const ways = await world.db.select().from(accounts).where(eq(accounts.userId, id))
  expect(ways.map(({ providerId }) => providerId)).toEqual(['google'])
})
