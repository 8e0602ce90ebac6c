import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type Browser, demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { users } from '../accounts/accounts.tables.ts'

const wrong = 'not this one'

const signIn = async (browser: Browser, email: string, password: string = demoPassword) =>
  (await browser.send(wire.signIn, { body: { email, password } })).status

/** Unknown browsers have one try. A known one has more. */
const once = { account: [{ points: 1, seconds: 3600 }] }

async function isKnown(world: World, browser: Browser, email: string): Promise<boolean> {
  await signIn(world.browser(), email, wrong)
  return (await signIn(browser, email, wrong)) !== 429
}

async function chooseNew(world: World, email: string): Promise<void> {
  await world.browser().send(wire.requestPasswordReset, { body: { email } })
  const { text } = await world.emailTo(email, 'Choose a new password')
  const [, token = ''] = /#token=([\w-]+)/.exec(text) ?? []
  const body = { token, password: 'Quiet-meadow-12' }
  expect((await world.browser().send(wire.choosePassword, { body })).status).toBe(200)
}

test('a browser in which somebody has signed in is known until the password is another one', async () => {
  await using world = await newWorld({ work: true, delays: once })
  const { email } = await world.newUser()
  const browser = world.browser()
  expect(await signIn(browser, email)).toBe(200)
  expect(await isKnown(world, browser, email)).toBe(true)
  await chooseNew(world, email)
  expect(await isKnown(world, browser, email)).toBe(false)
})

test('it is not known to another account that has the address since', async () => {
  await using world = await newWorld({ delays: once })
  const { id, email } = await world.newUser()
  const browser = world.browser()
  expect(await signIn(browser, email)).toBe(200)
  await world.db.delete(users).where(eq(users.id, id))
  await world.newUser({ email })
  expect(await isKnown(world, browser, email)).toBe(false)
})

test('signing in again makes no second one of it', async () => {
  await using world = await newWorld({ delays: { ...once, device: [{ points: 2, seconds: 3600 }] } })
  const { email } = await world.newUser()
  const browser = world.browser()
  const idOf = () => browser.cookies.get('sso_device')?.split('.')[1]
  expect(await signIn(browser, email)).toBe(200)
  const first = idOf()
  expect(first).toMatch(/^[\w-]{43}$/)
  expect(await signIn(browser, email)).toBe(200)
  expect(idOf()).toBe(first)
})

test('all that are known ask together for no more emails than all that are not', async () => {
  await using world = await newWorld({ delays: { mailbox: [{ points: 2, seconds: 86_400 }] } })
  const { email } = await world.newUser()
  const asked: number[] = []
  for (let each = 0; each < 3; each += 1) {
    const browser = world.browser()
    await signIn(browser, email)
    asked.push((await browser.send(wire.requestPasswordReset, { body: { email } })).status)
  }
  const unknown = await world.browser().send(wire.requestPasswordReset, { body: { email } })
  expect([...asked, unknown.status]).toEqual([200, 200, 429, 200])
})
