import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { account, type Browser, demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { tickets } from '../tickets/tickets.tables.ts'

async function newPerson(world: World) {
  const { email, id } = await world.newUser()
  /** Signs in for a service, which validates the ticket. */
  const open = async (browser: Browser, service: string) => {
    const { body } = await browser.send(wire.signIn, { body: { email, password: demoPassword, service } })
    const ticket = new URL(body.redirectUrl).searchParams.get('ticket') ?? ''
    const { body: validated } = await world.app.inject({ url: '/cas/serviceValidate', query: { service, ticket } })
    expect(validated).toContain('<cas:user>')
  }
  const opened = async () =>
    (
      await world.db
        .select({ service: tickets.service })
        .from(tickets)
        .innerJoin(sessions, eq(sessions.id, tickets.sessionId))
        .where(eq(sessions.userId, id))
        .orderBy(asc(tickets.service))
    ).map(({ service }) => service)
  return { open, opened }
}

const [first, second, third] = [`${account}/account?tab=1`, `${account}/account?tab=2`, `${account}/account?tab=3`]

/** The page, whose forms two tabs send at once. */
async function newTabs(world: World): Promise<Browser> {
  const browser = world.browser()
  await browser.get('/cas/login')
  return browser
}

test.each([
  ['of who was signed out', []],
  ['of who was signed in', [first]],
])('signing out ends what two sign-ins at once have opened in one browser, %s', async (_who, before) => {
  await using world = await newWorld({ work: true })
  const { open, opened } = await newPerson(world)
  const browser = await newTabs(world)
  for (const service of before) await open(browser, service)
  await Promise.all([open(browser, second), open(browser, third)])
  expect(await opened()).toEqual([...before, second, third])

  await browser.get('/cas/logout')
  expect(await opened()).toEqual([])
})

test('forms that were open at a sign-out are those of one browser', async () => {
  await using world = await newWorld({ work: true })
  const { open, opened } = await newPerson(world)
  const browser = await newTabs(world)
  await browser.get('/cas/logout')
  await Promise.all([open(browser, first), open(browser, second)])

  await browser.get('/cas/logout')
  expect(await opened()).toEqual([])
})

test('somebody who signs in over another person ends that one’s session', async () => {
  await using world = await newWorld({ work: true })
  const [one, other] = [await newPerson(world), await newPerson(world)]
  const browser = await newTabs(world)
  await one.open(browser, first)
  await other.open(browser, second)
  expect([await one.opened(), await other.opened()]).toEqual([[], [second]])
})

/** Another browser, with what somebody has noted of this one. */
function copyOf(browser: Browser, world: World): Browser {
  const copy = world.browser('198.51.100.7')
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

test.each([
  ['before anybody signed in', false],
  ['while signed in', true],
])('whoever noted the id of a browser %s ends nothing of the next person there', async (_when, isSignedIn) => {
  await using world = await newWorld({ work: true })
  const [one, next] = [await newPerson(world), await newPerson(world)]
  const browser = await newTabs(world)
  if (isSignedIn) await one.open(browser, first)
  const noted = copyOf(browser, world)

  await next.open(browser, second)
  await one.open(copyOf(noted, world), first)
  await noted.get('/cas/logout')
  expect(await next.opened()).toEqual([second])
  expect((await browser.get('/cas/login')).body).toContain('"signed-in"')
})

test('a browser stays the same one while the same person signs in again', async () => {
  await using world = await newWorld({ work: true })
  const { open, opened } = await newPerson(world)
  const browser = await newTabs(world)
  await open(browser, first)
  const id = browser.cookies.get('sso_browser')
  await open(browser, second)
  expect(browser.cookies.get('sso_browser')).toBe(id)
  expect(await opened()).toEqual([first, second])
})

test('signing out in one browser leaves another one of the same person signed in', async () => {
  await using world = await newWorld({ work: true })
  const { open, opened } = await newPerson(world)
  const [here, there] = [await newTabs(world), await newTabs(world)]
  await open(here, first)
  await open(there, second)

  await here.get('/cas/logout')
  expect(await opened()).toEqual([second])
})
