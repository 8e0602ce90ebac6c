import { randomUUID } from 'node:crypto'
import { ssoLinkedAccounts } from '@atrium/contract/linked-accounts.ts'
import { providerNames } from '@atrium/contract/login-providers.ts'
import { startSandboxProgram } from '@atrium/server-kit/test-program.ts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import * as popups from '../../popup-wire.ts'
import * as providers from '../../provider-wire.ts'
import {
  accountOf,
  answerOfLink,
  beSignedIn,
  link,
  linkedOf,
  linkToken,
  openLinkPopup,
  readToken,
} from '../../test/link-popup.ts'
import { answerAt, providersAt } from '../../test/person-at-provider.ts'
import { signInWith } from '../../test/provider-browser.ts'
import { type Browser, demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { sessions } from '../accounts/accounts.tables.ts'

const sandbox = await startSandboxProgram()
afterAll(() => sandbox[Symbol.asyncDispose]())
const settings = providersAt(sandbox.url)
const newPerson = (values: object = {}) => ({ email: `${randomUUID()}@example.test`, ...values })

/** Sets a new password with the emailed link. */
async function choosePassword(world: World, email: string) {
  await world.browser().send(wire.requestPasswordReset, { body: { email } })
  const { text } = await world.emailTo(email, 'Choose a new password')
  const [, token = ''] = /#token=([\w-]+)/.exec(text) ?? []
  const chosen = await world.browser().send(wire.choosePassword, { body: { token, password: 'Quiet-meadow-12' } })
  if (chosen.status !== 200) throw new Error('the password was not set')
}

test.each(providerNames)(
  'authenticated again, any unused identity of %s is linked, whatever its address; it then signs in',
  async (provider) => {
    await using world = await newWorld({ settings, work: true })
    const { id, email } = await world.newUser()
    const person = newPerson({ sharing: 'unconfirmed' })
    expect((await link(world, world.browser(), { userId: id, provider, person })).body).toEqual({ step: 'linked' })

    const { accounts: linked } = await linkedOf(world, id)
    expect(linked).toMatchObject([{ provider, email: person.email, canUnlink: true }])
    expect((await signInWith(world.browser(), { provider, person })).body.step).toBe('signed-in')
    expect(await world.acts(id)).toEqual(['identity.popup-opened', 'identity.linked', 'session.started'])
    const { text } = await world.emailTo(email, 'can now sign in')
    expect(text).toContain('security-settings')
  },
)

test('without the password nothing is linked', async () => {
  await using world = await newWorld({ settings })
  const { id } = await world.newUser()
  const browser = world.browser()
  const body = { popupId: await openLinkPopup(world, browser, id), provider: 'google' as const, proof: 'not this one' }
  expect((await browser.send(providers.startLink, { body })).body.code).toBe('wrong_current_password')
  expect((await linkedOf(world, id)).accounts).toEqual([])
})

test('an account without a password proves itself with an emailed code, which is good for nothing else', async () => {
  await using world = await newWorld({ settings, work: true })
  const owner = newPerson()
  const id = await accountOf(world, owner)
  const browser = world.browser()
  await beSignedIn(world, browser, id)
  const popupId = await openLinkPopup(world, browser, id)
  expect((await browser.send(popups.sendPopupCode, { body: { popupId } })).status).toBe(200)
  const { text } = await world.emailTo(owner.email, 'is your code')
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? ''

  const reset = await browser.send(popups.openPopup, {
    body: { accessToken: await world.tokens(id), purpose: 'password-reset' },
  })
  const misused = { popupId: reset.body.popupId, proof: code, password: 'Quiet-meadow-12' }
  expect((await browser.send(wire.changePassword, { body: misused })).body.code).toBe('wrong_code')
  const pasted = ` ${code.slice(0, 3)}\u2013${code.slice(3)}\n`
  const started = await browser.send(providers.startLink, { body: { popupId, provider: 'lenovo', proof: pasted } })
  const answer = await answerAt(started.body.redirectUrl, newPerson())
  const finished = await browser.send(providers.finishProvider, { body: { provider: 'lenovo', answer } })
  expect(finished.body).toEqual({ step: 'linked' })
})

test('a popup and its token are for one purpose', async () => {
  await using world = await newWorld({ settings })
  const { id } = await world.newUser()
  const browser = world.browser()
  const tokens = { reset: await world.tokens(id), link: await linkToken(world, id), read: await readToken(world, id) }
  const open = (accessToken: string, purpose: popups.PopupPurpose) =>
    browser.send(popups.openPopup, { body: { accessToken, purpose } })
  expect((await open(tokens.reset, 'account-link')).body.code).toBe('token_refused')
  expect((await open(tokens.read, 'account-link')).body.code).toBe('token_refused')
  expect((await open(tokens.link, 'password-reset')).body.code).toBe('token_refused')
  const listed = await browser.send(ssoLinkedAccounts, { body: { accessToken: tokens.link } })
  expect(listed.body.code).toBe('token_refused')

  const { popupId } = (await open(tokens.reset, 'password-reset')).body
  const body = { popupId, provider: 'google' as const, proof: demoPassword }
  expect((await browser.send(providers.startLink, { body })).body.code).toBe('popup_expired')
  const linkPopup = await openLinkPopup(world, browser, id)
  const change = { popupId: linkPopup, proof: demoPassword, password: 'Quiet-meadow-12' }
  expect((await browser.send(wire.changePassword, { body: change })).body.code).toBe('popup_expired')
})

test('an identity of another account is refused, and still signs in there', async () => {
  await using world = await newWorld({ settings })
  const person = newPerson()
  const owner = await accountOf(world, person)
  const { id } = await world.newUser()
  const reply = await link(world, world.browser(), { userId: id, person })
  expect([reply.status, reply.body.code]).toEqual([409, 'identity_taken'])
  expect((await linkedOf(world, id)).accounts).toEqual([])
  expect((await linkedOf(world, owner)).accounts).toHaveLength(1)
  expect((await signInWith(world.browser(), { provider: 'google', person })).body.step).toBe('signed-in')
})

test.each<[string, (world: World, browser: Browser) => Promise<unknown>]>([
  ['has signed out', (_world, browser) => browser.get('/cas/logout')],
  [
    'somebody else has signed in there',
    async (world, browser) => {
      const { email } = await world.newUser()
      await browser.send(wire.signIn, { body: { email, password: demoPassword } })
    },
  ],
  ['has ended the session from elsewhere', ({ db }) => db.delete(sessions)],
])('a link that was begun is of no use in the browser once its owner %s', async (_how, leave) => {
  await using world = await newWorld({ settings, work: true })
  const { id } = await world.newUser()
  const browser = world.browser()
  const body = await answerOfLink(world, browser, { userId: id, person: newPerson() })
  await leave(world, browser)
  expect((await browser.send(providers.finishProvider, { body })).body.code).toBe('flow_spent')
  expect((await linkedOf(world, id)).accounts).toEqual([])
})

test('a link that meets a sign-out is made before it, or not at all', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id } = await world.newUser()
  const links = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const browser = world.browser()
      return { browser, body: await answerOfLink(world, browser, { userId: id, person: newPerson() }) }
    }),
  )
  const linked = await Promise.all(
    links.map(async ({ browser, body }) => {
      const [reply] = await Promise.all([browser.send(providers.finishProvider, { body }), browser.get('/cas/logout')])
      return reply.status
    }),
  )
  expect(linked.filter((status) => status !== 200 && status !== 410)).toEqual([])
  expect((await linkedOf(world, id)).accounts).toHaveLength(linked.filter((status) => status === 200).length)
  expect(await world.db.$count(sessions, eq(sessions.userId, id))).toBe(0)
})

test('a link that waits for a sign-out finds that the session has ended', async () => {
  await using world = await newWorld({ settings })
  const { id } = await world.newUser()
  const browser = world.browser()
  const body = await answerOfLink(world, browser, { userId: id, person: newPerson() })
  const { linking } = await world.db.transaction(async (tx) => {
    await tx.delete(sessions).where(eq(sessions.userId, id))
    const linking = browser.send(providers.finishProvider, { body })
    const waits = sql`datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(() => world.db.$count(sql`pg_stat_activity`, waits)).toBeGreaterThan(0)
    return { linking }
  })
  expect((await linking).body.code).toBe('flow_spent')
  expect((await linkedOf(world, id)).accounts).toEqual([])
})

test('links that are made at once, more than there are connections, all succeed', async () => {
  await using world = await newWorld({ settings })
  const links = await Promise.all(
    Array.from({ length: 24 }, async () => {
      const [{ id }, browser] = [await world.newUser(), world.browser()]
      return { browser, body: await answerOfLink(world, browser, { userId: id, person: newPerson() }) }
    }),
  )
  const replies = await Promise.all(links.map(({ browser, body }) => browser.send(providers.finishProvider, { body })))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
})

test('two accounts that link one identity concurrently: one has it', async () => {
  await using world = await newWorld({ settings })
  const person = newPerson()
  const members = [await world.newUser(), await world.newUser()]
  const prepared = await Promise.all(
    members.map(async ({ id }) => {
      const browser = world.browser()
      return { browser, body: await answerOfLink(world, browser, { userId: id, person }) }
    }),
  )
  const replies = await Promise.all(
    prepared.map(({ browser, body }) => browser.send(providers.finishProvider, { body })),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('two tabs that link one identity to one account link it once, and both succeed', async () => {
  await using world = await newWorld({ settings })
  const { id } = await world.newUser()
  const person = newPerson()
  const browser = world.browser()
  const answers = [
    await answerOfLink(world, browser, { userId: id, person }),
    await answerOfLink(world, browser, { userId: id, person }),
  ]
  const replies = await Promise.all(answers.map((body) => browser.send(providers.finishProvider, { body })))
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect((await linkedOf(world, id)).accounts).toHaveLength(1)
})

test('somebody lured into another’s link keeps their identity: the answer works only where it began', async () => {
  await using world = await newWorld({ settings })
  const { id } = await world.newUser()
  const body = await answerOfLink(world, world.browser(), { userId: id, person: newPerson() })
  expect((await world.browser().send(providers.finishProvider, { body })).body.code).toBe('flow_spent')
  expect((await linkedOf(world, id)).accounts).toEqual([])
})

test('a new password ends a link that has begun: whoever knew the old one keeps no way in', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id, email } = await world.newUser()
  const browser = world.browser()
  const body = await answerOfLink(world, browser, { userId: id, person: newPerson() })
  await choosePassword(world, email)
  expect((await browser.send(providers.finishProvider, { body })).body.code).toBe('flow_spent')
  expect((await linkedOf(world, id)).accounts).toEqual([])
})

test('a new password that is set while the provider answers ends the link too', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id, email } = await world.newUser()
  const browser = world.browser()
  const body = await answerOfLink(world, browser, { userId: id, person: newPerson() })
  const google = world.deps.providers.get('google')
  if (!google) throw new Error('no provider')
  const { identify } = google
  google.identify = async (answer) => {
    await choosePassword(world, email)
    return identify(answer)
  }
  expect((await browser.send(providers.finishProvider, { body })).body.code).toBe('flow_spent')
  expect((await linkedOf(world, id)).accounts).toEqual([])
})
