import { randomUUID } from 'node:crypto'
import { startSandboxProgram } from '@atrium/server-kit/test-program.ts'
import { afterAll, expect, test } from 'vitest'
import * as popups from '../../popup-wire.ts'
import * as providers from '../../provider-wire.ts'
import { link, linkedOf } from '../../test/link-popup.ts'
import { providersAt } from '../../test/person-at-provider.ts'
import { pendingIn, signInWith } from '../../test/provider-browser.ts'
import { demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'

const sandbox = await startSandboxProgram()
afterAll(() => sandbox[Symbol.asyncDispose]())
const settings = providersAt(sandbox.url)
const newPerson = () => ({ email: `${randomUUID()}@other.test`, sharing: 'unconfirmed' as const })
const password = 'Quiet-meadow-12'

/** @returns the token of the emailed link */
async function forgotten(world: World, email: string): Promise<string> {
  await world.browser().send(wire.requestPasswordReset, { body: { email } })
  const { text } = await world.emailTo(email, 'Choose a new password')
  const [, token = ''] = /#token=([\w-]+)/.exec(text) ?? []
  return token
}

const codeIn = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? ''

test('a new password by the emailed link unlinks every provider: whoever had the mailbox or the password before keeps no way in', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id, email } = await world.newUser()
  const person = newPerson()
  const known = [
    { provider: 'facebook', person },
    { provider: 'linkedin', person },
  ] as const
  for (const identity of known) await link(world, world.browser(), { userId: id, ...identity })

  const token = await forgotten(world, email)
  const asked = await world.browser().send(wire.checkResetLink, { body: { token } })
  expect(asked.body).toEqual({ linked: ['facebook', 'linkedin'] })
  expect((await world.browser().send(wire.choosePassword, { body: { token, password } })).status).toBe(200)

  expect((await linkedOf(world, id)).accounts).toEqual([])
  for (const identity of known) expect((await signInWith(world.browser(), identity)).body.step).toBe('confirm')
  const { text, html } = await world.emailTo(email, 'password was changed')
  for (const written of [text, html]) expect(written).toContain('Also unlinked: Facebook and LinkedIn.')
  expect((await world.acts(id)).filter((action) => action === 'identity.unlinked')).toHaveLength(2)
})

test('where nothing was linked, nothing is said of it', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id, email } = await world.newUser()
  const token = await forgotten(world, email)
  expect((await world.browser().send(wire.checkResetLink, { body: { token } })).body).toEqual({ linked: [] })
  expect((await world.browser().send(wire.choosePassword, { body: { token, password } })).status).toBe(200)
  expect((await world.emailTo(email, 'password was changed')).text).not.toContain('unlinked')
  expect(await world.acts(id)).toEqual(['password.changed'])
})

test('a code that was sent before the new password links nothing', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id, email } = await world.newUser()
  const browser = world.browser()
  const pendingId = pendingIn(await signInWith(browser, { provider: 'facebook', person: newPerson() }))
  await browser.send(providers.sendProviderCode, { body: { pendingId, email } })
  const code = codeIn((await world.emailTo(email, 'is your code')).text)

  const token = await forgotten(world, email)
  expect((await world.browser().send(wire.choosePassword, { body: { token, password } })).status).toBe(200)
  const confirmed = await browser.send(providers.confirmProviderCode, { body: { pendingId, email, code } })
  expect(confirmed.body.code).toBe('code_spent')
  expect((await linkedOf(world, id)).accounts).toEqual([])
})

test('the password that is known is changed in the popup without unlinking anything', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id } = await world.newUser()
  await link(world, world.browser(), { userId: id, provider: 'facebook', person: newPerson() })
  const browser = world.browser()
  const opening = { accessToken: await world.tokens(id), purpose: 'password-reset' as const }
  const { popupId } = (await browser.send(popups.openPopup, { body: opening })).body
  const body = { popupId, proof: demoPassword, password }
  expect((await browser.send(wire.changePassword, { body })).status).toBe(200)
  expect((await linkedOf(world, id)).accounts).toHaveLength(1)
})

test('whoever comes to a mailbox second is told what else opens the account, and a new password ends that', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id, email } = await world.newUser()
  const former = { provider: 'linkedin', person: newPerson() } as const
  await link(world, world.browser(), { userId: id, ...former })

  const next = { provider: 'facebook', person: newPerson() } as const
  const browser = world.browser()
  const pendingId = pendingIn(await signInWith(browser, next))
  await browser.send(providers.sendProviderCode, { body: { pendingId, email } })
  const code = codeIn((await world.emailTo(email, 'is your code')).text)
  expect((await browser.send(providers.confirmProviderCode, { body: { pendingId, email, code } })).status).toBe(200)
  const told = await world.emailTo(email, 'Facebook can now sign in')
  expect(told.text).toContain('This account can also be opened with: Password and LinkedIn.')

  const token = await forgotten(world, email)
  expect((await world.browser().send(wire.choosePassword, { body: { token, password } })).status).toBe(200)
  expect((await signInWith(world.browser(), former)).body.step).toBe('confirm')
})

test('an account that signs in with a provider sets a password with the emailed link, which links the provider again', async () => {
  await using world = await newWorld({ settings, work: true })
  const google = { provider: 'google', person: { email: `${randomUUID()}@gmail.com` } } as const
  const { email } = google.person
  expect((await signInWith(world.browser(), google)).body.step).toBe('signed-in')
  const token = await forgotten(world, email)
  await world.browser().send(wire.choosePassword, { body: { token, password } })
  expect((await world.browser().send(wire.signIn, { body: { email, password } })).status).toBe(200)

  const browser = world.browser()
  const body = { pendingId: pendingIn(await signInWith(browser, google)), email, password }
  expect((await browser.send(providers.confirmProviderPassword, { body })).status).toBe(200)
  expect((await signInWith(world.browser(), google)).body.step).toBe('signed-in')
})
