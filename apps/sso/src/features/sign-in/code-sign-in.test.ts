import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { account, type Browser, demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { accounts } from '../accounts/accounts.tables.ts'

const service = `${account}/account/signed-in/fresh?signin=abc`
const login = `/cas/login?service=${encodeURIComponent(service)}`

/** Somebody who is signed in, and whose account has no password. */
async function withoutPassword(world: World) {
  const user = await world.newUser()
  const browser = world.browser()
  await browser.send(wire.signIn, { body: { email: user.email, password: demoPassword } })
  await world.db.delete(accounts).where(and(eq(accounts.userId, user.id), eq(accounts.providerId, 'credential')))
  return { ...user, browser }
}

const pageOf = async (browser: Browser, url: string) =>
  JSON.parse(/<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec((await browser.get(url)).body)?.[1] ?? '')
    .page

const confirm = (browser: Browser, code: string, method: 'GET' | 'POST' = 'GET') =>
  browser.send(wire.signInWithCode, { body: { code, service, method } })

async function codeFor(world: World, { browser, email }: { browser: Browser; email: string }) {
  expect((await browser.send(wire.sendSignInCode, { body: {} })).status).toBe(200)
  const { text } = await world.emailTo(email, 'is your code')
  return /\b\d{6}\b/.exec(text)?.[0] ?? ''
}

const validated = async (world: World, redirectUrl: string) => {
  const ticket = new URL(redirectUrl).searchParams.get('ticket') ?? ''
  const query = new URLSearchParams({ service, ticket, renew: 'true' })
  return (await world.browser().get(`/cas/p3/serviceValidate?${query}`)).body
}

test('a service that insists on a new login gets one of an account without a password by an emailed code', async () => {
  await using world = await newWorld({ work: true })
  const person = await withoutPassword(world)
  const page = { name: 'sign-in-code', service, method: 'GET', email: person.email, isCodeSent: false, program: null }
  expect(await pageOf(person.browser, `${login}&renew=true`)).toEqual(page)

  const code = await codeFor(world, person)
  expect(await pageOf(person.browser, `${login}&renew=true`)).toEqual({ ...page, isCodeSent: true })
  const { status, body } = await confirm(person.browser, code)
  expect(status).toBe(200)
  const answer = await validated(world, body.redirectUrl)
  expect(answer).toContain(`<cas:user>${person.id}</cas:user>`)
  expect(answer).toContain('<cas:isFromNewLogin>true</cas:isFromNewLogin>')
  expect(await world.acts(person.id)).toEqual([
    ...['session.started', 'session.code-sent', 'session.started', 'session.ended', 'ticket.issued'],
  ])
})

test('a ticket of that session without a code is none of a new login', async () => {
  await using world = await newWorld()
  const { browser } = await withoutPassword(world)
  const { headers } = await browser.get(login)
  expect(await validated(world, String(headers.location))).toContain('INVALID_TICKET')
})

test('five wrong codes are looked at, and a code works once, for its purpose, in ten minutes', async () => {
  await using world = await newWorld({ work: true })
  const person = await withoutPassword(world)
  const code = await codeFor(world, person)
  const wrong = code === '000000' ? '111111' : '000000'
  const guesses = await Promise.all(Array.from({ length: 9 }, () => confirm(person.browser, wrong)))
  expect(guesses.map(({ body }) => body.code).sort()).toEqual([
    ...Array(4).fill('code_spent'),
    ...Array(5).fill('wrong_code'),
  ])
  expect((await confirm(person.browser, code)).body.code).toBe('code_spent')

  world.wait(31)
  world.emails.length = 0
  const next = await codeFor(world, person)
  world.wait(601)
  expect((await confirm(person.browser, next)).body.code).toBe('code_spent')
})

test('who is not signed in, or has a password, gets no code and no session by one', async () => {
  await using world = await newWorld()
  const stranger = world.browser()
  const { email } = await world.newUser()
  const owner = world.browser()
  await owner.send(wire.signIn, { body: { email, password: demoPassword } })

  expect((await stranger.send(wire.sendSignInCode, { body: {} })).body.code).toBe('signed_out')
  expect((await confirm(stranger, '123456')).body.code).toBe('signed_out')
  expect((await owner.send(wire.sendSignInCode, { body: {} })).body.code).toBe('has_password')
  expect((await confirm(owner, '123456')).body.code).toBe('code_spent')
  const { name, email: filledIn } = await pageOf(owner, `${login}&renew=true`)
  expect([name, filledIn]).toEqual(['sign-in', email])
})

test('a service that is not registered is refused', async () => {
  await using world = await newWorld()
  const { browser } = await withoutPassword(world)
  const body = { code: '123456', service: 'https://elsewhere.example/', method: 'GET' as const }
  expect((await browser.send(wire.signInWithCode, { body })).body.code).toBe('service_refused')
})
