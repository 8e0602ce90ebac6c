import { readSession } from '@atrium/contract/session.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { identities, members } from '../../db/members.tables.ts'
import { arrive, comeBack, sessionCookieOf, signInAs } from '../../test/sign-in.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { sessions } from './session.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const verified = (user: string, email: string) => ({ user, attributes: { email, emailVerified: 'true' } })

async function memberOf(world: World, reply: Parameters<typeof sessionCookieOf>[0]) {
  return (await world.as({ cookie: `atrium_session=${sessionCookieOf(reply)}` }).send(readSession, {})).body.id
}

test('the first verified sign-in is linked to the imported member; the second one finds the same member', async () => {
  await using world = await newWorld()
  const imported = await world.member({ email: 'joins@example.test', company: 'Analytical' })

  for (const _time of ['first', 'second']) await signInAs(world, verified('subject-joins', 'Joins@Example.test'))

  const rows = await world.db.select().from(sessions).where(eq(sessions.subject, 'subject-joins'))
  expect(rows.map((row) => row.memberId)).toEqual([imported.id, imported.id])
  const activityRows = await world.db
    .select()
    .from(activity)
    .where(eq(activity.memberId, imported.id))
    .orderBy(activity.id)
  expect(activityRows.map(({ action }) => action)).toEqual(['identity.joined', 'session.started', 'session.started'])
})

test('a new owner of the mailbox gets an explanation, not the previous owner’s account', async () => {
  await using world = await newWorld()
  const imported = await world.member({ email: 'recycled@example.test', firstName: 'Grace' })
  await signInAs(world, verified('subject-before', 'recycled@example.test'))
  const warn = vi.spyOn(world.deps.logger, 'warn')

  for (const path of ['/account', '/account/signed-in']) {
    const reply = await signInAs(world, verified('subject-after', 'recycled@example.test'), path)
    expect(reply.statusCode).toBe(403)
    expect(sessionCookieOf(reply)).toBeUndefined()
    expect(reply.body).toContain('Please contact our support.')
    expect(reply.body).toContain(world.config.TICKETS_URL)
    expect(reply.body).toContain('http://localhost:3001/cas/logout?service=http%3A%2F%2Flocalhost%3A3000%2Faccount')
    for (const secret of [imported.id, 'Grace', 'recycled@', 'loginSuccess']) expect(reply.body).not.toContain(secret)
  }

  expect(await world.db.$count(identities, eq(identities.subject, 'subject-after'))).toBe(0)
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ subject: 'subject-after', memberId: imported.id, code: 'email_taken' }),
    expect.stringContaining('npm run members -- link'),
  )
})

test('the page of a refusal is in the visitor’s language', async () => {
  await using world = await newWorld()
  const reply = await signInAs(world, { user: 'subject-german', attributes: {} }, '/de/account')
  expect(reply.body).toContain('<html lang="de-DE">')
  expect(reply.body).toContain('Ihre E-Mail-Adresse ist noch nicht bestätigt')
})

test('of two concurrent first sign-ins with one address, exactly one identity is linked', async () => {
  await using world = await newWorld()
  const imported = await world.member({ email: 'race@example.test' })
  const tickets = Array.from({ length: 20 }, (_, index) => `ST-race-${index}`)
  for (const ticket of tickets) world.tickets.set(ticket, verified(`subject-${ticket}`, 'race@example.test'))
  const { nonce } = await arrive(world)
  // Opens connections first: otherwise the first sign-in finishes before the others begin.
  await Promise.all(tickets.map(() => world.db.execute(sql`select pg_sleep(0.1)`)))

  const replies = await Promise.all(tickets.map((ticket) => comeBack(world, { ticket, nonce })))

  expect(replies.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1)
  expect(replies.filter(({ statusCode }) => statusCode === 403)).toHaveLength(19)
  expect(await world.db.$count(identities, eq(identities.memberId, imported.id))).toBe(1)
})

test.each([
  ['never verified', 'never', (email: string) => ({ email, emailVerified: 'true' })],
  ['not verified', 'attribute:emailVerified', (email: string) => ({ email, emailVerified: 'false' })],
  ['without the attribute', 'attribute:confirmed', (email: string) => ({ email, emailVerified: 'true' })],
  ['without an address', 'always', () => ({})],
])(
  'a first sign-in %s creates no member: a page explains it, and the log names the setting',
  async (_, setting, attributes) => {
    await using world = await newWorld({ settings: { CAS_EMAIL_VERIFIED: setting } })
    // Even if the user's name is the address.
    const { id, email } = await world.member()
    const before = await world.db.$count(members)
    const warn = vi.spyOn(world.deps.logger, 'warn')

    const reply = await signInAs(world, { user: email, attributes: attributes(email) })

    expect(reply.statusCode).toBe(403)
    expect(reply.body).toContain('Your email address has not been confirmed yet')
    expect(reply.body).toContain(`href="${world.config.SSO_URL}/forgotten-password"`)
    expect(sessionCookieOf(reply)).toBeUndefined()
    expect(await world.db.$count(members)).toBe(before)
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({ subject: email, requestId: expect.any(String) }),
      expect.stringContaining('CAS_EMAIL_VERIFIED'),
    )
    // Once the address counts as verified, the account opens.
    await using configured = await newWorld({ settings: { CAS_EMAIL_VERIFIED: 'always' } })
    expect(await memberOf(configured, await signInAs(configured, verified(email, email)))).toBe(id)
  },
)

test('a known identity signs in, whatever the single sign-on says of its address', async () => {
  await using world = await newWorld({ settings: { CAS_EMAIL_VERIFIED: 'never' } })
  const member = await world.member()
  await world.db
    .insert(identities)
    .values({ provider: 'cas', subject: 'subject-known', memberId: member.id, createdAt: new Date() })
  expect(await memberOf(world, await signInAs(world, { user: 'subject-known', attributes: {} }))).toBe(member.id)
})

test('an unusable answer is retried once, and its cause is logged without the ticket', async () => {
  await using world = await newWorld()
  const warn = vi.spyOn(world.deps.logger, 'warn')
  const failure = { failure: 'tls', detail: 'CERT_HAS_EXPIRED' } as const

  const first = await signInAs(world, failure)
  const retry = first.cookies.find(({ name }) => name === 'atrium_sign_in')?.value ?? ''
  world.tickets.set('ST-secret', failure)
  const second = await comeBack(world, { ticket: 'ST-secret', nonce: retry })

  expect(second.json().data).toMatchObject({ notice: 'sign_in_failed' })
  expect(warn).toHaveBeenLastCalledWith(
    { ...failure, ticketHash: expect.stringMatching(/^[0-9a-f]{16}$/), requestId: expect.any(String) },
    'ticket not redeemed',
  )
  expect(JSON.stringify(warn.mock.calls)).not.toContain('ST-')
})

test('two concurrent first sign-ins of one person create one member', async () => {
  await using world = await newWorld()
  const principal = verified('subject-twice', 'twice@example.test')
  const tickets = ['ST-1a', 'ST-1b', 'ST-1c', 'ST-1d']
  for (const ticket of tickets) world.tickets.set(ticket, principal)
  const { nonce } = await arrive(world)

  const replies = await Promise.all(tickets.map((ticket) => comeBack(world, { ticket, nonce })))

  expect(replies.map((reply) => sessionCookieOf(reply) !== undefined)).toEqual([true, true, true, true])
  expect(await world.db.$count(members, eq(members.email, 'twice@example.test'))).toBe(1)
  expect(await world.db.$count(identities, eq(identities.subject, 'subject-twice'))).toBe(1)
})

test('concurrent first sign-ins of one subject with several addresses create one identity', async () => {
  await using world = await newWorld()
  const addresses = Array.from({ length: 8 }, (_, index) => `many${index}@example.test`)

  const replies = await Promise.all(addresses.map((email) => signInAs(world, verified('subject-many', email))))

  expect(replies.map((reply) => reply.statusCode)).toEqual(addresses.map(() => 303))
  expect(await world.db.$count(identities, eq(identities.subject, 'subject-many'))).toBe(1)
})

test('an address with a domain in letters of its own is one, however the single sign-on writes it', async () => {
  await using world = await newWorld()
  const imported = await world.member({ email: 'info@xn--bcher-kva.example' })
  await signInAs(world, verified('subject-books', 'Info@Bücher.example'))
  expect(await world.db.$count(identities, eq(identities.memberId, imported.id))).toBe(1)
})

test('an address whose letters are others in lower case is nobody else’s', async () => {
  await using world = await newWorld()
  const imported = await world.member({ email: 'kate@letters.test' })
  expect((await signInAs(world, verified('subject-kelvin', '\u212aate@letters.test'))).statusCode).not.toBe(303)
  expect(await world.db.$count(identities, eq(identities.memberId, imported.id))).toBe(0)
})

test('names from the single sign-on lose marks that are not seen', async () => {
  await using world = await newWorld()
  const { user, attributes } = verified('subject-marks', 'marks@names.test')
  const names = { firstName: '\u202eAda\u200b', lastName: `${'L'.repeat(31)}😀` }
  await signInAs(world, { user, attributes: { ...attributes, ...names } })
  const [stored] = await world.db.select().from(members).where(eq(members.email, 'marks@names.test'))
  expect(stored).toMatchObject({ firstName: 'Ada', lastName: 'L'.repeat(31) })
})
