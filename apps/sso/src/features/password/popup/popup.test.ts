import { and, eq } from 'drizzle-orm'
import { generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import * as popups from '../../../popup-wire.ts'
import { demoPassword, newWorld, type World } from '../../../test/world.ts'
import * as wire from '../../../wire.ts'
import { accounts } from '../../accounts/accounts.tables.ts'
import { emailCodes } from '../../popups/popups.tables.ts'

const password = 'Quiet-meadow-12'

const open = (world: World, accessToken: string) =>
  world.browser().send(popups.openPopup, { body: { accessToken, purpose: 'password-reset' } })

async function opened(world: World, userId: string): Promise<string> {
  const { status, body } = await open(world, await world.tokens(userId))
  expect(status).toBe(200)
  return body.popupId
}

const change = (world: World, popupId: string, proof: string, chosen = password) =>
  world.browser().send(wire.changePassword, { body: { popupId, proof, password: chosen } })

/** A user who signs in through a provider only. */
async function withoutPassword(world: World) {
  const user = await world.newUser()
  await world.db.delete(accounts).where(and(eq(accounts.userId, user.id), eq(accounts.providerId, 'credential')))
  return user
}

test('the account page’s token opens the popup for its own account', async () => {
  await using world = await newWorld()
  const { id, email } = await world.newUser()
  const { status, body } = await open(world, await world.tokens(id))
  expect(status).toBe(200)
  expect(body).toEqual({ popupId: expect.any(String), email, hasPassword: true, isCodeSent: false, linkedAccounts: [] })
  expect(await world.acts(id)).toEqual(['password.popup-opened'])
})

test('a token is refused if it has expired, has another audience, purpose or signature, or names no account', async () => {
  await using world = await newWorld()
  const { id } = await world.newUser()
  const now = Math.floor(Date.now() / 1000)
  const stranger = await generateKeyPair('EdDSA')
  const wrong = [
    { claims: { exp: now - 10, iat: now - 70 } },
    { claims: { iat: now - 120, exp: now + 600 } },
    { claims: { iat: undefined } },
    { claims: { exp: undefined } },
    { claims: { aud: 'http://localhost:3000' } },
    { claims: { iss: 'http://localhost:3002' } },
    { claims: { purpose: 'session' } },
    { claims: { jti: undefined } },
    { claims: { sub: undefined } },
    { claims: { sub: 'nobody' } },
    { key: stranger.privateKey },
  ]
  for (const fault of wrong) {
    const { status, body } = await open(world, await world.tokens(id, fault))
    expect([fault.claims, status, body.code]).toEqual([fault.claims, 403, 'token_refused'])
  }
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ sub: id }))}.`.replaceAll('=', '')
  for (const nonsense of [unsigned, 'x', 'a.b.c']) expect((await open(world, nonsense)).status).toBe(403)
  expect(await world.acts(id)).toEqual([])
})

test('a token opens one popup, even if many try concurrently', async () => {
  await using world = await newWorld()
  const { id } = await world.newUser()
  const token = await world.tokens(id)
  const replies = await Promise.all(Array.from({ length: 10 }, () => open(world, token)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await open(world, token)).status).toBe(403)
})

test('the current password sets a new one, ends every session, and sends an email', async () => {
  await using world = await newWorld({ work: true })
  const { id, email } = await world.newUser()
  const browser = world.browser()
  await browser.send(wire.signIn, { body: { email, password: demoPassword } })
  const popupId = await opened(world, id)

  expect((await change(world, popupId, demoPassword)).status).toBe(200)
  expect((await browser.get('/cas/login')).body).toContain('"sign-in"')
  expect((await world.browser().send(wire.signIn, { body: { email, password } })).status).toBe(200)
  await world.emailTo(email, 'password was changed')
  expect((await change(world, popupId, password, 'Third-harbour-3')).body.code).toBe('popup_expired')
})

test('a new password ends every other way to set one: links, codes and open popups', async () => {
  await using world = await newWorld({ work: true })
  const { id, email } = await world.newUser()
  await world.browser().send(wire.requestPasswordReset, { body: { email } })
  const message = await world.emailTo(email, 'Choose a new password')
  const [, token = ''] = /#token=([\w-]+)/.exec(message.text) ?? []
  const other = await opened(world, id)
  const soon = new Date(Date.now() + 60_000)
  await world.db.insert(emailCodes).values({ userId: id, hash: 'x', triesLeft: 5, sentAt: soon, expiresAt: soon })

  expect((await change(world, await opened(world, id), demoPassword)).status).toBe(200)
  const reply = await world.browser().send(wire.choosePassword, { body: { token, password: 'Third-harbour-3' } })
  expect([reply.status, reply.body.code]).toEqual([410, 'link_spent'])
  expect((await change(world, other, password, 'Third-harbour-3')).body.code).toBe('popup_expired')
  expect(await world.db.select().from(emailCodes).where(eq(emailCodes.userId, id))).toEqual([])
})

test('a password that is replaced while the popup compares it is refused', async () => {
  await using world = await newWorld()
  const { id, email } = await world.newUser()
  const popupId = await opened(world, id)
  const { hashing } = world.deps
  const { hash } = hashing
  const replacement = await hash('Third-harbour-3')
  hashing.hash = async (chosen) => {
    await world.db.update(accounts).set({ password: replacement }).where(eq(accounts.userId, id))
    return hash(chosen)
  }

  expect((await change(world, popupId, demoPassword)).body.code).toBe('popup_expired')
  const signIn = (tried: string) => world.browser().send(wire.signIn, { body: { email, password: tried } })
  expect([(await signIn(password)).status, (await signIn('Third-harbour-3')).status]).toEqual([401, 200])
})

test('a popup does not affect another account', async () => {
  await using world = await newWorld()
  const [first, second] = [await world.newUser(), await world.newUser()]
  await change(world, await opened(world, first.id), demoPassword)
  const reply = await world.browser().send(wire.signIn, { body: { email: second.email, password: demoPassword } })
  expect(reply.status).toBe(200)
})

test('without the current password nothing changes', async () => {
  await using world = await newWorld()
  const { id, email } = await world.newUser()
  const popupId = await opened(world, id)
  expect((await change(world, popupId, 'not this one')).body.code).toBe('wrong_current_password')
  expect((await change(world, popupId, demoPassword, 'short')).body.errors?.[0]?.code).toBe('password_too_short')
  expect((await world.browser().send(wire.signIn, { body: { email, password: demoPassword } })).status).toBe(200)
  expect((await change(world, popupId, demoPassword)).status).toBe(200)
})

test('the current password is refused as the new one, and the popup stays open', async () => {
  await using world = await newWorld()
  const { id, email } = await world.newUser()
  const popupId = await opened(world, id)
  const reply = await change(world, popupId, demoPassword, demoPassword)
  expect([reply.status, reply.body.errors?.[0]]).toMatchObject([
    422,
    { path: 'body.password', code: 'password_unchanged' },
  ])
  expect((await world.browser().send(wire.signIn, { body: { email, password: demoPassword } })).status).toBe(200)
  expect((await change(world, popupId, demoPassword)).status).toBe(200)
})

test('a wrong current password is reported before a reused one', async () => {
  await using world = await newWorld()
  const { id } = await world.newUser()
  const popupId = await opened(world, id)
  expect((await change(world, popupId, password, password)).body.code).toBe('wrong_current_password')
})

test('the current password is recognized when its characters are composed differently', async () => {
  await using world = await newWorld()
  const { id } = await world.newUser()
  await change(world, await opened(world, id), demoPassword, 'café-crème-12')
  const reply = await change(world, await opened(world, id), 'café-crème-12', 'cafe\u0301-cre\u0300me-12')
  expect(reply.body.errors?.[0]?.code).toBe('password_unchanged')
})

test('guesses are counted per account, however many popups are open', async () => {
  await using world = await newWorld({ delays: { device: [{ points: 3, seconds: 60 }] } })
  const { id } = await world.newUser()
  const popups = [await opened(world, id), await opened(world, id)]
  const statuses = []
  for (const popupId of [...popups, ...popups]) statuses.push((await change(world, popupId, 'a guess')).status)
  expect(statuses).toEqual([409, 409, 409, 429])
})

test('a popup lives for ten minutes', async () => {
  await using world = await newWorld()
  const { id } = await world.newUser()
  const popupId = await opened(world, id)
  world.wait(601)
  expect((await change(world, popupId, demoPassword)).body.code).toBe('popup_expired')
  expect((await change(world, 'made-up', demoPassword)).body.code).toBe('popup_expired')
})

async function codeFor(world: World, popupId: string, email: string): Promise<string> {
  world.emails.length = 0
  expect((await world.browser().send(popups.sendPopupCode, { body: { popupId } })).status).toBe(200)
  const message = await world.emailTo(email, 'is your code')
  return /\b\d{6}\b/.exec(message.text)?.[0] ?? ''
}

test('an account without a password gets one with an emailed code', async () => {
  await using world = await newWorld({ work: true })
  const { id, email } = await withoutPassword(world)
  const reply = await open(world, await world.tokens(id))
  expect(reply.body.hasPassword).toBe(false)
  const { popupId } = reply.body

  const code = await codeFor(world, popupId, email)
  expect((await change(world, popupId, code)).status).toBe(200)
  expect((await world.browser().send(wire.signIn, { body: { email, password } })).status).toBe(200)
})

test('an account with a password gets no code', async () => {
  await using world = await newWorld()
  const { id } = await world.newUser()
  const popupId = await opened(world, id)
  expect((await world.browser().send(popups.sendPopupCode, { body: { popupId } })).body.code).toBe('has_password')
})

test('codes: thirty seconds between two, and only the newest works, for ten minutes', async () => {
  await using world = await newWorld({ work: true })
  const { id, email } = await withoutPassword(world)
  const popupId = await opened(world, id)
  const first = await codeFor(world, popupId, email)
  const tooSoon = await world.browser().send(popups.sendPopupCode, { body: { popupId } })
  expect([tooSoon.status, Number(tooSoon.headers['retry-after'])]).toEqual([429, expect.any(Number)])

  world.wait(31)
  const second = await codeFor(world, popupId, email)
  if (first !== second) expect((await change(world, popupId, first)).body.code).toBe('wrong_code')
  world.wait(500)
  const later = await opened(world, id)
  world.wait(101)
  expect((await change(world, later, second)).body.code).toBe('code_spent')
})

test('a popup knows of a code that was sent for the same purpose, as long as it may be used', async () => {
  await using world = await newWorld({ work: true })
  const { id, email } = await withoutPassword(world)
  const isCodeSent = async (purpose: popups.PopupPurpose = 'password-reset') => {
    const accessToken = await world.tokens(id, { claims: { purpose } })
    return (await world.browser().send(popups.openPopup, { body: { accessToken, purpose } })).body.isCodeSent
  }
  expect(await isCodeSent()).toBe(false)
  const popupId = await opened(world, id)
  const code = await codeFor(world, popupId, email)
  expect([await isCodeSent(), await isCodeSent('account-link')]).toEqual([true, false])
  const wrong = code === '000000' ? '000001' : '000000'
  for (let tries = 0; tries < 5; tries += 1) await change(world, popupId, wrong)
  expect(await isCodeSent()).toBe(false)
})

test('codes are counted per account, however many popups are open', async () => {
  await using world = await newWorld({ delays: { mailbox: [{ points: 2, seconds: 86_400 }] }, work: true })
  const [{ id }, other] = [await withoutPassword(world), await withoutPassword(world)]
  const statuses = []
  for (const userId of [id, id, id, other.id]) {
    const popupId = await opened(world, userId)
    statuses.push((await world.browser().send(popups.sendPopupCode, { body: { popupId } })).status)
    world.wait(31)
  }
  expect(statuses).toEqual([200, 200, 429, 200])
})

test('a code that is requested too soon is not counted, since none is sent', async () => {
  await using world = await newWorld({ delays: { mailbox: [{ points: 2, seconds: 86_400 }] }, work: true })
  const { id } = await withoutPassword(world)
  const popupId = await opened(world, id)
  const statuses = []
  for (const seconds of [1, 1, 31, 31]) {
    statuses.push((await world.browser().send(popups.sendPopupCode, { body: { popupId } })).status)
    world.wait(seconds)
  }
  expect(statuses).toEqual([200, 429, 429, 200])
})

test('of two hundred concurrent guesses five are checked', async () => {
  await using world = await newWorld({ work: true })
  const { id, email } = await withoutPassword(world)
  const popupId = await opened(world, id)
  const code = await codeFor(world, popupId, email)
  const wrong = code === '000000' ? '000001' : '000000'
  const replies = await Promise.all(Array.from({ length: 200 }, () => change(world, popupId, wrong)))
  expect(replies.filter(({ body }) => body.code === 'wrong_code')).toHaveLength(5)
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(0)
  expect((await change(world, popupId, code)).body.code).toBe('code_spent')
})

test('wrong passwords of others do not lock out the browser in which the password was changed', async () => {
  await using world = await newWorld({ work: true, delays: { account: [{ points: 3, seconds: 3600 }] } })
  const { id, email } = await world.newUser()
  const [owner, stranger] = [world.browser(), world.browser()]
  const opening = { accessToken: await world.tokens(id), purpose: 'password-reset' as const }
  const { popupId } = (await owner.send(popups.openPopup, { body: opening })).body
  expect((await owner.send(wire.changePassword, { body: { popupId, proof: demoPassword, password } })).status).toBe(200)

  const wrong = { email, password: 'not this one' }
  for (let round = 0; round < 3; round += 1) await stranger.send(wire.signIn, { body: wrong })
  expect((await stranger.send(wire.signIn, { body: { email, password } })).status).toBe(429)
  expect((await owner.send(wire.signIn, { body: { email, password } })).status).toBe(200)
})
