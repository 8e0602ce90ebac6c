import { randomUUID } from 'node:crypto'
import { startSandboxProgram } from '@atrium/server-kit/test-program.ts'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import * as popups from '../../popup-wire.ts'
import * as providers from '../../provider-wire.ts'
import { accountOf, link, linkedOf, linkToken, openLinkPopup } from '../../test/link-popup.ts'
import { providersAt } from '../../test/person-at-provider.ts'
import { signInWith } from '../../test/provider-browser.ts'
import { demoPassword, newWorld, type World } from '../../test/world.ts'
import { accounts, users } from '../accounts/accounts.tables.ts'
import { emailCodes } from '../popups/popups.tables.ts'

const sandbox = await startSandboxProgram()
afterAll(() => sandbox[Symbol.asyncDispose]())
const settings = providersAt(sandbox.url)
const newPerson = () => ({ email: `${randomUUID()}@example.test` })

interface Unlinking {
  userId: string
  id: string
  proof?: string
}

const unlinkIn = (world: World, body: { popupId: string; id: string; proof: string }) =>
  world.browser().send(providers.unlinkAccount, { body })

async function unlink(world: World, { userId, id, proof = demoPassword }: Unlinking) {
  return unlinkIn(world, { popupId: await openLinkPopup(world, world.browser(), userId), id, proof })
}

/** Somebody with a password and a linked Google account. */
async function linkedUser(world: World) {
  const user = await world.newUser()
  const person = newPerson()
  await link(world, world.browser(), { userId: user.id, person })
  const [google] = (await linkedOf(world, user.id)).accounts
  if (!google) throw new Error('not linked')
  return { ...user, person, google }
}

/** A second identity, as if it had been linked. */
const addLenovo = (world: World, userId: string) =>
  world.db
    .insert(accounts)
    .values({ id: randomUUID(), accountId: userId, providerId: 'lenovo', userId, authority: 'a' })

test('authenticated again, an identity is unlinked: it no longer signs in, and the owner has an email', async () => {
  await using world = await newWorld({ settings, work: true })
  const { id, email, person, google } = await linkedUser(world)
  expect((await unlink(world, { userId: id, id: google.id })).status).toBe(200)
  expect((await linkedOf(world, id)).accounts).toEqual([])
  expect((await signInWith(world.browser(), { provider: 'google', person })).body.step).toBe('signed-in')
  expect(await world.db.$count(accounts, eq(accounts.userId, id))).toBe(1)
  await world.emailTo(email, 'no longer signs in')
  expect((await world.acts(id)).at(-1)).toBe('identity.unlinked')
})

test('the popup shows what is linked, and without the password it stays linked', async () => {
  await using world = await newWorld({ settings })
  const { id, email, google } = await linkedUser(world)
  const body = { accessToken: await linkToken(world, id), purpose: 'account-link' as const }
  const opened = await world.browser().send(popups.openPopup, { body })
  expect(opened.body).toMatchObject({ email, hasPassword: true, linkedAccounts: [google] })

  const refused = await unlink(world, { userId: id, id: google.id, proof: 'not this one' })
  expect([refused.status, refused.body.code]).toEqual([409, 'wrong_current_password'])
  const unopened = { popupId: 'x', id: google.id, proof: demoPassword }
  const without = await world.browser().send(providers.unlinkAccount, { body: unopened })
  expect([without.status, without.body.code]).toEqual([410, 'popup_expired'])
  expect((await linkedOf(world, id)).accounts).toEqual([google])
})

test('a popup of Reset Password unlinks nothing, and one for linked accounts is good for one change', async () => {
  await using world = await newWorld({ settings })
  const { id, google } = await linkedUser(world)
  await addLenovo(world, id)
  const browser = world.browser()
  const reset = { accessToken: await world.tokens(id), purpose: 'password-reset' as const }
  const { popupId } = (await browser.send(popups.openPopup, { body: reset })).body
  const misused = await browser.send(providers.unlinkAccount, { body: { popupId, id: google.id, proof: demoPassword } })
  expect(misused.body.code).toBe('popup_expired')

  const linkPopup = await openLinkPopup(world, browser, id)
  const replies = await Promise.all(
    (await linkedOf(world, id)).accounts.map((account) =>
      browser.send(providers.unlinkAccount, { body: { popupId: linkPopup, id: account.id, proof: demoPassword } }),
    ),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 410])
})

test('an account without a password enters an emailed code', async () => {
  await using world = await newWorld({ settings, work: true })
  const person = newPerson()
  const id = await accountOf(world, person)
  await addLenovo(world, id)
  const [google] = (await linkedOf(world, id)).accounts
  const browser = world.browser()
  const popupId = await openLinkPopup(world, browser, id)
  await browser.send(popups.sendPopupCode, { body: { popupId } })
  const { text } = await world.emailTo(person.email, 'is your code')
  expect(text).toContain('change how you sign in')
  const proof = /\b\d{6}\b/.exec(text)?.[0] ?? ''
  const wrong = proof === '000000' ? '000001' : '000000'
  const body = { popupId, id: google?.id ?? '' }
  expect((await browser.send(providers.unlinkAccount, { body: { ...body, proof: wrong } })).body.code).toBe(
    'wrong_code',
  )
  expect((await browser.send(providers.unlinkAccount, { body: { ...body, proof } })).status).toBe(200)
  expect((await linkedOf(world, id)).accounts.map(({ provider }) => provider)).toEqual(['lenovo'])
})

test('the last way in stays', async () => {
  await using world = await newWorld({ settings, work: true })
  const person = newPerson()
  const id = await accountOf(world, person)
  const [only] = (await linkedOf(world, id)).accounts
  expect(only?.canUnlink).toBe(false)
  const browser = world.browser()
  const popupId = await openLinkPopup(world, browser, id)
  await browser.send(popups.sendPopupCode, { body: { popupId } })
  const { text } = await world.emailTo(person.email, 'is your code')
  const body = { popupId, id: only?.id ?? '', proof: /\b\d{6}\b/.exec(text)?.[0] ?? '' }
  expect((await browser.send(providers.unlinkAccount, { body })).body.code).toBe('last_way_in')
})

test('of two tabs that have authenticated again, one unlinks, and the last way in stays', async () => {
  await using world = await newWorld({ settings })
  const id = await accountOf(world, newPerson())
  await addLenovo(world, id)
  const { accounts: both } = await linkedOf(world, id)
  const tabs = await Promise.all(
    both.map(async (account) => ({ account, popupId: await openLinkPopup(world, world.browser(), id) })),
  )
  const code = { userId: id, triesLeft: 5, sentAt: new Date(), expiresAt: new Date(Date.now() + 60_000) }
  const hash = world.deps.secrets.sign('code', `${id}:account-link:123456`)

  const { pending } = await world.db.transaction(async (tx) => {
    // While the account is locked, each tab gets as far as the change: its code is right and used up.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')
    const sent: ReturnType<typeof unlinkIn>[] = []
    for (const { account, popupId } of tabs) {
      await world.db.insert(emailCodes).values({ ...code, hash })
      sent.push(unlinkIn(world, { popupId, id: account.id, proof: '123456' }))
      await expect.poll(() => world.db.$count(emailCodes, eq(emailCodes.userId, id))).toBe(0)
    }
    expect((await linkedOf(world, id)).accounts).toEqual(both)
    return { pending: sent }
  })
  const outcomes = await Promise.all(pending)
  expect(outcomes.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, 'last_way_in'])
  expect((await linkedOf(world, id)).accounts).toHaveLength(1)
})

test('a provider that is no longer set up is not a way in', async () => {
  await using world = await newWorld({
    settings: { ...settings, LENOVO_CLIENT_ID: '', LENOVO_CLIENT_SECRET: '', LENOVO_ISSUER: '' },
  })
  const id = await accountOf(world, newPerson())
  await addLenovo(world, id)
  const listed = await linkedOf(world, id)
  expect(listed.accounts.map(({ provider, canUnlink }) => [provider, canUnlink])).toEqual([
    ['google', false],
    ['lenovo', true],
  ])
})

test('another account’s identity looks like none at all, and its owner keeps it', async () => {
  await using world = await newWorld({ settings })
  const { id } = await world.newUser()
  const owner = await linkedUser(world)
  const strip = ({ status, body: { requestId: _, ...body } }: Awaited<ReturnType<typeof unlink>>) => ({ status, body })
  expect(strip(await unlink(world, { userId: id, id: owner.google.id }))).toEqual(
    strip(await unlink(world, { userId: id, id: randomUUID() })),
  )
  expect((await linkedOf(world, owner.id)).accounts).toHaveLength(1)
})
