import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { account, demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { verifications } from '../accounts/accounts.tables.ts'
import { answerReset, resetQueue } from './password.jobs.ts'

const password = 'Quiet-meadow-12'

async function tokenFor(world: World, email: string): Promise<string> {
  world.emails.length = 0
  expect((await world.browser().send(wire.requestPasswordReset, { body: { email } })).status).toBe(200)
  const message = await world.emailTo(email, 'Choose a new password')
  const [, token = ''] = /\/choose-password#token=([\w-]+)/.exec(message.text) ?? []
  return token
}

const choose = (world: World, token: string, chosen = password, browser = world.browser()) =>
  browser.send(wire.choosePassword, { body: { token, password: chosen } })
const check = async (world: World, token: string) =>
  (await world.browser().send(wire.checkResetLink, { body: { token } })).status
const signIn = async (world: World, email: string, tried: string) =>
  (await world.browser().send(wire.signIn, { body: { email, password: tried } })).status

test('a forgotten password is replaced with the emailed link; the old one no longer works and every session ends', async () => {
  await using world = await newWorld({ work: true })
  const { id, email } = await world.newUser()
  const browser = world.browser()
  await browser.send(wire.signIn, { body: { email, password: demoPassword } })

  expect((await choose(world, await tokenFor(world, email))).status).toBe(200)
  expect(await signIn(world, email, demoPassword)).toBe(401)
  expect(await signIn(world, email, password)).toBe(200)
  expect((await browser.get('/cas/login')).body).toContain('"sign-in"')
  await world.emailTo(email, 'password was changed')
  const changes = (await world.acts(id)).filter((action) => action !== 'credentials.refused')
  expect(changes).toEqual(['session.started', 'session.ended', 'password.changed', 'session.started'])
})

test('a link works once, even when it is used twice concurrently', async () => {
  await using world = await newWorld({ work: true })
  const { email } = await world.newUser()
  const token = await tokenFor(world, email)
  const replies = await Promise.all(Array.from({ length: 5 }, () => choose(world, token)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410])
})

test('a link says whether it still works, and is not used up by that', async () => {
  await using world = await newWorld({ work: true })
  const { id, email } = await world.newUser()
  const older = await tokenFor(world, email)
  const token = await tokenFor(world, email)
  expect([await check(world, token), await check(world, token)]).toEqual([200, 200])
  expect([await check(world, older), await check(world, 'made-up')]).toEqual([410, 410])
  expect(await world.acts(id)).toEqual([])

  expect((await choose(world, token)).status).toBe(200)
  expect(await check(world, token)).toBe(410)
})

test('wrong passwords of others do not lock out the browser in which a new password was chosen', async () => {
  await using world = await newWorld({ work: true, delays: { account: [{ points: 3, seconds: 3600 }] } })
  const { email } = await world.newUser()
  const token = await tokenFor(world, email)
  for (let round = 0; round < 3; round += 1) expect(await signIn(world, email, 'not this one')).toBe(401)

  const [owner, late] = [world.browser(), world.browser()]
  expect((await choose(world, token, password, owner)).status).toBe(200)
  // A link that was used makes no browser known.
  expect((await choose(world, token, password, late)).status).toBe(410)

  const body = { email, password }
  expect((await late.send(wire.signIn, { body })).status).toBe(429)
  expect((await owner.send(wire.signIn, { body })).status).toBe(200)
})

test('a link works for an hour', async () => {
  await using world = await newWorld({ work: true })
  const { id, email } = await world.newUser()
  const token = await tokenFor(world, email)
  await world.db
    .update(verifications)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(verifications.value, id))
  expect(await check(world, token)).toBe(410)
  expect((await choose(world, token)).body.code).toBe('link_spent')
  expect(await signIn(world, email, demoPassword)).toBe(200)
})

test('a newer link replaces an older one', async () => {
  await using world = await newWorld({ work: true })
  const { email } = await world.newUser()
  const older = await tokenFor(world, email)
  const newer = await tokenFor(world, email)
  expect((await choose(world, older)).status).toBe(410)
  expect((await choose(world, newer)).status).toBe(200)
})

test('a weak password is refused and leaves the link as it was', async () => {
  await using world = await newWorld({ work: true })
  const { email } = await world.newUser()
  const token = await tokenFor(world, email)
  const refused = await choose(world, token, 'password')
  expect([refused.status, refused.body.errors?.[0]?.code]).toEqual([422, 'password_common'])
  expect((await choose(world, token)).status).toBe(200)
})

test('an address without an account gets the same reply, and no email', async () => {
  await using world = await newWorld({ work: true })
  const { email } = await world.newUser()
  const known = await world.browser().send(wire.requestPasswordReset, { body: { email } })
  const unknown = await world.browser().send(wire.requestPasswordReset, { body: { email: 'nobody@example.test' } })
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  await world.emailTo(email, 'Choose a new password')
  await new Promise((resolve) => setTimeout(resolve, 800))
  expect(world.emails.filter(({ to }) => to === 'nobody@example.test')).toEqual([])
})

test('neither tables nor queue contain a usable token or link', async () => {
  await using world = await newWorld({ work: true })
  const { email } = await world.newUser()
  const token = await tokenFor(world, email)
  const tables = ['sso.verifications', 'sso_jobs.job']
  for (const table of tables) {
    const { rows } = await world.db.$client.query(`select * from ${table}`)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  }
})

test('a made-up token is answered like a used one', async () => {
  await using world = await newWorld()
  expect((await choose(world, 'made-up')).body.code).toBe('link_spent')
})

test('a job that is delivered twice sends one email, even if its link was used in between', async () => {
  await using world = await newWorld({ work: true })
  const { email } = await world.newUser()
  const token = await tokenFor(world, email)
  const { rows } = await world.db.$client.query<{ id: string; data: { email: string; locale: string } }>(
    'select id, data from sso_jobs.job where name = $1 and data ->> $2 = $3',
    [resetQueue, 'email', email],
  )
  const [job = { id: '', data: { email, locale: '' } }] = rows
  await answerReset(world.deps, { ...job.data, jobId: job.id })
  expect((await choose(world, token)).status).toBe(200)
  await answerReset(world.deps, { ...job.data, jobId: job.id })

  await world.emailTo(email, 'password was changed')
  await new Promise((resolve) => setTimeout(resolve, 800))
  const resets = world.emails.filter(({ to, subject }) => to === email && subject.includes('Choose a new password'))
  expect(resets).toHaveLength(1)
})

test('the link leads back to the service that the person came from, and the answer names the address', async () => {
  await using world = await newWorld({ work: true })
  const { email } = await world.newUser()
  const service = `${account}/account?signin=abc`
  await world.browser().send(wire.requestPasswordReset, { body: { email, service } })
  const { text } = await world.emailTo(email, 'Choose a new password')
  const link = new URL(/https?:\S+\/choose-password\S+/.exec(text)?.[0] ?? '')
  expect(link.searchParams.get('service')).toBe(service)

  const token = new URLSearchParams(link.hash.slice(1)).get('token') ?? ''
  expect((await choose(world, token)).body).toEqual({ email })
})

test('a service that is not registered gets no link', async () => {
  await using world = await newWorld()
  const { email } = await world.newUser()
  const body = { email, service: 'https://elsewhere.test/' }
  const { status } = await world.browser().send(wire.requestPasswordReset, { body })
  expect(status).toBe(403)
})
