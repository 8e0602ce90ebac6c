import { randomUUID } from 'node:crypto'
import { startSandboxProgram } from '@atrium/server-kit/test-program.ts'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import * as providers from '../../provider-wire.ts'
import { providersAt } from '../../test/person-at-provider.ts'
import { pendingIn, signInWith } from '../../test/provider-browser.ts'
import { account, type Browser, demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { users } from '../accounts/accounts.tables.ts'

const sandbox = await startSandboxProgram()
afterAll(() => sandbox[Symbol.asyncDispose]())

const service = `${account}/account?signin=abc`
const login = (locale: string) => `/cas/login?${new URLSearchParams({ service, locale })}`

/** As the language menu does: it writes the cookie, and loads the page again. */
async function choose(browser: Browser, locale: string) {
  browser.cookies.set('sso_chosen_locale', locale)
  await browser.get(`${login(locale)}&renew=true`)
}

async function signIn(world: World, browser: Browser, email: string) {
  const reply = await browser.send(wire.signIn, { body: { email, password: demoPassword, service } })
  return localeOf(world, reply.body.redirectUrl)
}

/** With which language the service is to go on; undefined for its own. */
async function localeOf(world: World, address: string): Promise<string | undefined> {
  const ticket = new URL(address).searchParams.get('ticket') ?? ''
  const query = { service, ticket, format: 'JSON' }
  const reply = await world.app.inject({ method: 'GET', url: '/cas/p3/serviceValidate', query })
  return reply.json().serviceResponse.authenticationSuccess.attributes.chosenLocale
}

/** Another ticket, from the session. */
const ticketAgain = async (world: World, browser: Browser) =>
  localeOf(world, String((await browser.get(login('fr-fr'))).headers.location))

test('a service learns which language was chosen on the sign-in page, once', async () => {
  await using world = await newWorld()
  const { id, email } = await world.newUser()
  const browser = world.browser()
  await browser.get(login('en-us'))
  await choose(browser, 'de-de')
  expect(await signIn(world, browser, email)).toBe('de-de')
  const [user] = await world.db.select({ locale: users.locale }).from(users).where(eq(users.id, id))
  expect(user?.locale).toBe('de-de')
  expect(await ticketAgain(world, browser)).toBeUndefined()
})

test('a ticket that the service never redeemed does not lose the choice', async () => {
  await using world = await newWorld()
  const { email } = await world.newUser()
  const browser = world.browser()
  await choose(browser, 'de-de')
  await browser.send(wire.signIn, { body: { email, password: demoPassword, service } })
  expect(await ticketAgain(world, browser)).toBe('de-de')
})

test('the choice of a second sign-in counts again', async () => {
  await using world = await newWorld()
  const { email } = await world.newUser()
  const browser = world.browser()
  expect(await signIn(world, browser, email)).toBeUndefined()
  world.wait(1)
  await choose(browser, 'ja-jp')
  expect(await signIn(world, browser, email)).toBe('ja-jp')
})

test('a language that only an address names is nobody’s choice', async () => {
  await using world = await newWorld()
  const { email } = await world.newUser()
  const browser = world.browser()
  await browser.get(login('ru-ru'))
  expect(await signIn(world, browser, email)).toBeUndefined()
})

test('an old choice gives way to the language in which the service sends the person now', async () => {
  await using world = await newWorld()
  const { email } = await world.newUser()
  const browser = world.browser()
  await choose(browser, 'de-de')
  await browser.get(login('fr-fr'))
  expect(await signIn(world, browser, email)).toBeUndefined()
})

test('what is not a language is not passed on', async () => {
  await using world = await newWorld()
  const { email } = await world.newUser()
  const browser = world.browser()
  browser.cookies.set('sso_chosen_locale', '"><x>')
  expect(await signIn(world, browser, email)).toBeUndefined()
})

test('a choice on the page after a login provider counts, where nobody is signed in yet', async () => {
  await using world = await newWorld({ settings: providersAt(sandbox.url), work: true })
  const { email } = await world.newUser()
  const browser = world.browser()
  await browser.get(login('en-us'))
  const person = { email: `${randomUUID()}@example.test` }
  const pendingId = pendingIn(await signInWith(browser, { provider: 'microsoft', person, service }))
  await choose(browser, 'de-de')
  const body = { pendingId, email, password: demoPassword }
  const { redirectUrl } = (await browser.send(providers.confirmProviderPassword, { body })).body
  expect(await localeOf(world, redirectUrl)).toBe('de-de')
})
