import { startSandboxProgram } from '@atrium/server-kit/test-program.ts'
import { afterAll, expect, test } from 'vitest'
import * as wire from '../../provider-wire.ts'
import { providersAt } from '../../test/person-at-provider.ts'
import { pendingIn, signInWith } from '../../test/provider-browser.ts'
import { type Browser, newWorld, type World } from '../../test/world.ts'

const sandbox = await startSandboxProgram()
afterAll(() => sandbox[Symbol.asyncDispose]())

const settings = providersAt(sandbox.url)
let people = 0

interface Guesser {
  world: World
  browser: Browser
}

/** Somebody's own new identity at a provider, and a code to another's address. */
async function withCode({ world, browser }: Guesser, email: string) {
  people += 1
  const person = { email: `eve-${people}@others.example`, sharing: 'unconfirmed' as const }
  const pendingId = pendingIn(await signInWith(browser, { provider: 'facebook', person }))
  world.emails.length = 0
  expect((await browser.send(wire.sendProviderCode, { body: { pendingId, email } })).status).toBe(200)
  const { text } = await world.emailTo(email, 'code')
  const right = /\b\d{6}\b/.exec(text)?.[0] ?? ''
  const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0')
  const enter = async (code: string) =>
    (await browser.send(wire.confirmProviderCode, { body: { pendingId, email, code } })).status
  return { guess: () => enter(wrong), confirm: () => enter(right) }
}

test('one site guesses codes of all addresses together only so often, from whatever of its networks', async () => {
  await using world = await newWorld({
    ...{ settings, work: true },
    delays: { siteCode: [{ points: 3, seconds: 3600 }] },
  })
  const [first, second] = [await world.newUser(), await world.newUser()]
  const browser = world.browser('2001:db8:7:1::9')
  const ofFirst = await withCode({ world, browser }, first.email)
  expect([await ofFirst.guess(), await ofFirst.guess()]).toEqual([409, 409])
  const ofSecond = await withCode({ world, browser: world.browser('2001:db8:7:ff::9') }, second.email)
  expect([await ofSecond.guess(), await ofSecond.guess()]).toEqual([409, 429])

  const elsewhere = await withCode({ world, browser: world.browser('198.51.100.7') }, second.email)
  expect(await elsewhere.confirm()).toBe(200)
})

test('all networks together guess the code of one address only so often, and what is right does not count', async () => {
  await using world = await newWorld({ settings, work: true, delays: { code: [{ points: 2, seconds: 86_400 }] } })
  const { email } = await world.newUser()
  const own = await withCode({ world, browser: world.browser('198.51.100.7') }, email)
  expect(await own.confirm()).toBe(200)
  for (const [network, status] of [
    ['203.0.113.1', 409],
    ['203.0.113.2', 409],
    ['203.0.113.3', 429],
  ] as const) {
    const { guess } = await withCode({ world, browser: world.browser(network) }, email)
    expect(await guess()).toBe(status)
  }
})
