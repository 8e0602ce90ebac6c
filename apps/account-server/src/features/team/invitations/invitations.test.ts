import { acceptInvitation, readInvitation } from '@atrium/contract/invitations.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { addSubscriptionUsers, resendInvitation } from '@atrium/contract/team.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newProduct, newSeat, newSubscription } from '../../../test/factories.ts'
import { newWorld, type TestMember } from '../../../test/world.ts'
import { events } from '../../events/events.tables.ts'
import { seats } from '../../subscriptions/seats.tables.ts'
import { subscriptions } from '../../subscriptions/subscriptions.tables.ts'
import { noteLapsedInvitations } from '../team.jobs.ts'
import { invitations } from './invitations.tables.ts'

const hears = { EVENT_URLS: 'http://localhost:1/events', EVENT_SECRET: `whsec_${'a'.repeat(32)}` }

/** An Owner with a subscription of three seats, one of which is theirs. */
async function team({
  product = {},
  settings = {},
  ...values
}: {
  product?: object
  settings?: object
  userCount?: number
} = {}) {
  const world = await newWorld({ settings: { ...hears, ...settings } })
  const owner = await world.member({ firstName: 'Ada', lastName: 'Lovelace' })
  const { code } = await newProduct(world, product)
  const { id: sid } = await newSubscription(world, owner, { productCode: code, ...values })
  /** An address that no other test has. */
  const at = (name: string) => `${name}@${sid}.test`
  return { ...world, owner, sid, address: at }
}
type Team = Awaited<ReturnType<typeof team>>

function invite(world: Team, emailList: string[], { who = world.owner, setup = false, key = '' } = {}) {
  const setupType = setup ? ('setup-admin' as const) : ('member' as const)
  const body = { orgCode: 'ORG', emailList, setupType, type: setup, lang: 'en-us' as const }
  return world.as(who).send(addSubscriptionUsers, { params: { sid: world.sid }, body }, key || undefined)
}

function resend(world: Team, email: string) {
  const body = { orgCode: 'ORG', email, setupAdmin: 0 as const, lang: 'en-us' as const }
  return world.as(world.owner).send(resendInvitation, { params: { sid: world.sid }, body })
}

const emailsTo = ({ sent }: Team, address: string) =>
  sent.flatMap(({ queue, data }) =>
    queue === 'mail' && 'to' in data && data.to === address && 'text' in data && 'subject' in data ? [data] : [],
  )

/** The token of the latest link that was mailed to an address. */
function tokenOf(world: Team, address: string): string {
  const text = String(emailsTo(world, address).at(-1)?.text)
  return /[?&]invitation=([\w-]{43})/.exec(text)?.[1] ?? ''
}

const read = (world: Team, token: string) => world.visitor.send(readInvitation, { body: { token } })
const accept = (world: Team, who: TestMember, token: string) =>
  world.as(who).send(acceptInvitation, { body: { token } })
const resultsOf = ({ body }: Awaited<ReturnType<typeof invite>>) => body.results.map(({ result }) => result)

const seatOf = async ({ db, sid }: Team, email: string) =>
  (
    await db
      .select()
      .from(seats)
      .where(and(eq(seats.subscriptionId, sid), eq(seats.email, email), isNull(seats.removedAt)))
  )[0]

/** What the vendor's systems were told of the subscription's seats. */
async function happenings({ db, sid }: Team): Promise<unknown[]> {
  const told = await db
    .select()
    .from(events)
    .where(eq(sql`${events.data} ->> 'subscriptionId'`, sid))
  return told.map(({ data }) => Reflect.get(Object(data), 'happened'))
}

test('who is invited is told by whom and to what, and takes the seat with an account of that address', async () => {
  await using world = await team()
  expect(resultsOf(await invite(world, [`  ${world.address('New')} `]))).toEqual(['invited'])
  const [email] = emailsTo(world, world.address('new'))
  expect(email?.subject).toMatch(/^You are invited to Product/)
  const token = tokenOf(world, world.address('new'))

  // Reading it changes nothing, however often a mail scanner does.
  for (const _ of [1, 2]) {
    expect((await read(world, token)).body).toMatchObject({
      ...{ state: 'open', email: world.address('new'), inviterName: 'Ada Lovelace', type: seatTypes.member },
    })
  }
  const other = await world.member()
  expect((await accept(world, other, token)).body.code).toBe('other_address')
  const invited = await world.member({ email: world.address('new') })
  expect((await accept(world, invited, token)).body).toMatchObject({ sid: world.sid })
  expect(await seatOf(world, world.address('new'))).toMatchObject({
    status: 'Accepted',
    isUse: true,
    memberId: invited.id,
  })
  // Again: by the same person nothing happens, by another it is not theirs.
  expect((await accept(world, invited, token)).status).toBe(200)
  expect((await accept(world, other, token)).status).toBe(403)
  expect((await read(world, token)).body.state).toBe('accepted')
  expect(await happenings(world)).toEqual(['invited', 'joined'])
})

test('each address of a list has its own answer, and the same one in another spelling is one', async () => {
  await using world = await team({ userCount: 3 })
  const known = await world.member()
  await newSeat(world, world.sid, { memberId: known.id, email: known.email })
  const reply = await invite(world, [
    world.address('one'),
    `${world.address('ONE')} `,
    known.email,
    world.owner.email,
    'not an address',
    world.address('<script>'),
    world.address('two'),
    world.address('one+tag'),
  ])
  expect(reply.body.results).toEqual([
    { email: world.address('one'), result: 'invited' },
    { email: known.email, result: 'already_member' },
    { email: world.owner.email, result: 'own_address' },
    { email: 'not an address', result: 'invalid' },
    { email: world.address('<script>'), result: 'invalid' },
    { email: world.address('two'), result: 'no_seat' },
    { email: world.address('one+tag'), result: 'no_seat' },
  ])
  expect(
    (
      await invite(
        world,
        Array.from({ length: 11 }, (_, at) => world.address(`p${at}`)),
      )
    ).status,
  ).toBe(422)
  expect((await invite(world, ['  '])).status).toBe(422)
})

test('a role and an address are required', async () => {
  await using world = await team()
  const headers = { origin: 'http://localhost:3000', cookie: world.owner.cookie }
  const payload = { orgCode: '', emailList: [], type: false, lang: 'en-us' }
  const reply = await world.request({
    ...{ method: 'POST', url: `/account/subscriptions/${world.sid}/users/`, headers, payload },
  })
  expect(reply.statusCode).toBe(422)
  expect(reply.json().errors).toMatchObject([
    { path: 'body.emailList', code: 'email_required' },
    { path: 'body.setupType', code: 'role_required' },
  ])
})

test('twenty parallel invitations for the last seat: exactly one has it', async () => {
  await using world = await team({ userCount: 2 })
  const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => invite(world, [world.address(`p${at}`)])))
  expect(replies.flatMap(resultsOf).sort()).toEqual(['invited', ...Array(19).fill('no_seat')])
})

test('a repeated request invites nobody twice, and answers the same', async () => {
  await using world = await team()
  const [first, second] = [
    await invite(world, [world.address('a')], { key: 'k1' }),
    await invite(world, [world.address('a')], { key: 'k1' }),
  ]
  expect(second.body).toEqual(first.body)
  expect(emailsTo(world, world.address('a'))).toHaveLength(1)
})

test('a repeated request does not do again what was undone, or could not be done, meanwhile', async () => {
  await using world = await team({ userCount: 2 })
  const [first, second] = [world.address('first'), world.address('second')]
  const again = () => invite(world, [first, second], { key: 'k1' })
  expect(resultsOf(await again())).toEqual(['invited', 'no_seat'])
  await world.db.update(seats).set({ removedAt: world.deps.clock() }).where(eq(seats.email, first))
  await world.db.update(subscriptions).set({ userCount: 9 }).where(eq(subscriptions.id, world.sid))
  expect(resultsOf(await again())).toEqual(['invited', 'no_seat'])
  expect([await seatOf(world, first), await seatOf(world, second)]).toEqual([undefined, undefined])
})

test('an invitation lapses after seven days: its seat is free, its link void, and it can be sent again', async () => {
  await using world = await team({ userCount: 2 })
  await invite(world, [world.address('a')])
  const before = tokenOf(world, world.address('a'))
  const invited = await world.member({ email: world.address('a') })
  world.at('2026-06-08T09:30:00Z')
  expect((await read(world, before)).body.state).toBe('lapsed')
  expect((await accept(world, { ...invited, cookie: await world.session(invited.id) }, before)).body).toMatchObject({
    code: 'invitation_void',
    data: { state: 'lapsed' },
  })
  const owner = { ...world.owner, cookie: await world.session(world.owner.id) }
  const again = { ...world, owner }
  await noteLapsedInvitations(world.deps)
  await noteLapsedInvitations(world.deps)
  expect(await happenings(world)).toEqual(['invited', 'invitation_lapsed'])

  expect(resultsOf(await invite(again, [world.address('b')]))).toEqual(['invited'])
  expect((await resend(again, world.address('a'))).body.code).toBe('no_seat')
  await world.db.update(subscriptions).set({ userCount: 3 }).where(eq(subscriptions.id, world.sid))
  expect((await resend(again, world.address('a'))).status).toBe(200)
  expect((await read(world, before)).body.state).toBe('replaced')
  const now = { ...invited, cookie: await world.session(invited.id) }
  expect((await accept(world, now, before)).body).toMatchObject({ data: { state: 'replaced' } })
  expect((await accept(world, now, tokenOf(world, world.address('a')))).status).toBe(200)
})

test('an invitation is sent again after a minute, and an address gets five emails a day', async () => {
  await using world = await team({ userCount: 9 })
  await invite(world, [world.address('a')])
  const early = await resend(world, world.address('a'))
  expect([early.status, early.body.code, early.headers['retry-after']]).toEqual([429, 'invitation_just_sent', '60'])
  const begin = Date.parse('2026-06-01T09:30:00Z')
  for (const minute of [1, 2, 3, 4]) {
    world.at(new Date(begin + minute * 60_000))
    expect((await resend(world, world.address('a'))).status).toBe(200)
  }
  world.at(new Date(begin + 6 * 60_000))
  expect((await resend(world, world.address('a'))).body.code).toBe('too_often')
  // Of another subscription of the same Owner, too.
  const { id } = await newSubscription(world, world.owner)
  expect(resultsOf(await invite({ ...world, sid: id }, [world.address('a'), world.address('b')]))).toEqual([
    'too_often',
    'invited',
  ])
})

test('a subscription sends so many invitations an hour', async () => {
  await using world = await team({ userCount: 9, settings: { INVITATIONS_PER_HOUR: '2' } })
  expect(resultsOf(await invite(world, [world.address('a'), world.address('b'), world.address('c')]))).toEqual([
    ...['invited', 'invited', 'too_often'],
  ])
})

test('Setup Admins take no seat, at most twenty wait, and the assistant has none', async () => {
  await using world = await team({ userCount: 1, settings: { INVITATIONS_PER_HOUR: '100' } })
  const ten = (from: number) => Array.from({ length: 10 }, (_, at) => world.address(`s${from + at}`))
  for (const from of [0, 10]) {
    expect(new Set(resultsOf(await invite(world, ten(from), { setup: true })))).toEqual(new Set(['invited']))
  }
  expect(resultsOf(await invite(world, [world.address('s99')], { setup: true }))).toEqual(['too_many_setup_admins'])
  const invited = await world.member({ email: world.address('s0') })
  expect((await accept(world, invited, tokenOf(world, world.address('s0')))).status).toBe(200)
  expect(await seatOf(world, world.address('s0'))).toMatchObject({ type: seatTypes.setupAdmin, isUse: false })

  const assistant = await team({ product: { flags: ['aiAssistant'] } })
  await using other = assistant
  expect((await invite(other, [world.address('a')], { setup: true })).body.code).toBe('no_setup_admins')
})

test('a lapsed invitation of a Setup Admin leaves its place, and needs one to be sent again', async () => {
  await using world = await team({ settings: { INVITATIONS_PER_HOUR: '100' } })
  const ten = (name: string) => Array.from({ length: 10 }, (_, at) => world.address(`${name}${at}`))
  for (const name of ['a', 'b']) await invite(world, ten(name), { setup: true })
  const longAgo = new Date(world.deps.clock().getTime() - 8 * 86_400_000)
  const isInvited = and(eq(seats.subscriptionId, world.sid), eq(seats.status, 'Pending'))
  await world.db.update(seats).set({ invitedAt: longAgo }).where(isInvited)
  await world.db.delete(invitations).where(eq(invitations.subscriptionId, world.sid))
  for (const name of ['c', 'd']) {
    expect(new Set(resultsOf(await invite(world, ten(name), { setup: true })))).toEqual(new Set(['invited']))
  }
  const body = { orgCode: 'ORG', email: world.address('a0'), setupAdmin: 1 as const, lang: 'en-us' as const }
  const again = () => world.as(world.owner).send(resendInvitation, { params: { sid: world.sid }, body })
  expect((await again()).body.code).toBe('too_many_setup_admins')
  const [withdrawn] = await world.db
    .select()
    .from(seats)
    .where(eq(seats.email, world.address('c0')))
  await world.db
    .update(seats)
    .set({ removedAt: world.deps.clock() })
    .where(eq(seats.id, withdrawn?.id ?? ''))
  expect((await again()).status).toBe(200)
})

test('of parallel acceptances one takes the seat; after fewer seats are paid, or the end, nobody does', async () => {
  await using world = await team({ userCount: 3 })
  await invite(world, [world.address('a'), world.address('b')])
  const [a, b] = [await world.member({ email: world.address('a') }), await world.member({ email: world.address('b') })]
  const tokens = [tokenOf(world, a.email), tokenOf(world, b.email)] as const
  const replies = await Promise.all(Array.from({ length: 5 }, () => accept(world, a, tokens[0])))
  expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200))
  await world.db.update(subscriptions).set({ userCount: 2 }).where(eq(subscriptions.id, world.sid))
  expect((await accept(world, b, tokens[1])).body.code).toBe('no_seat')
  await world.db.update(subscriptions).set({ status: 'canceled' }).where(eq(subscriptions.id, world.sid))
  expect((await accept(world, b, tokens[1])).body).toMatchObject({ data: { state: 'ended' } })
  expect((await invite(world, [world.address('c')])).body.code).toBe('subscription_ended')
  expect((await accept(world, b, 'x'.repeat(43))).body).toMatchObject({ data: { state: 'unknown' } })
})

test('names with line breaks, markup and marks of direction stay words in the email', async () => {
  await using world = await team()
  const odd = await world.member({
    firstName: 'Eve\r\nBcc: x@example.test',
    lastName: '\u202e<script>alert(1)</script>',
  })
  await newSeat(world, world.sid, { memberId: odd.id, email: odd.email, type: 1 })
  await invite(world, [world.address('a')], { who: odd })
  const [email] = emailsTo(world, world.address('a'))
  expect(email?.subject).not.toMatch(/[\r\n\u202e]/)
  expect(email && 'html' in email && email.html).not.toContain('<script>')
  expect(JSON.stringify(email)).not.toContain('\u202e')
})

test('once the one who invited has gone, the invitation still names them, and the Owner of now is told that it was accepted', async () => {
  await using world = await team()
  const invited = world.address('late')
  await invite(world, [invited])
  const token = tokenOf(world, invited)
  expect((await read(world, token)).body.inviterEmail).toBe(world.owner.email)

  const next = await world.member({ firstName: 'Rosa' })
  const isOwners = and(eq(seats.subscriptionId, world.sid), eq(seats.memberId, world.owner.id))
  await world.db.update(seats).set({ memberId: next.id, email: next.email }).where(isOwners)
  await world.db.update(subscriptions).set({ memberId: next.id }).where(eq(subscriptions.id, world.sid))

  expect((await read(world, token)).body.inviterEmail).toBe(world.owner.email)
  const person = await world.member({ email: invited })
  expect((await accept(world, person, token)).status).toBe(200)
  expect(emailsTo(world, next.email)).toMatchObject([{ subject: expect.stringContaining('accepted') }])
  expect(emailsTo(world, world.owner.email)).toEqual([])
})

test('an address is invited in its one form, and what would become another one is refused', async () => {
  await using world = await team({ userCount: 5 })
  const [unicode, punycode] = [`info@bücher.${world.sid}.test`, `info@xn--bcher-kva.${world.sid}.test`]
  expect((await invite(world, [`\u200b${unicode} `])).body.results).toEqual([{ email: punycode, result: 'invited' }])
  expect(emailsTo(world, punycode)).toHaveLength(1)
  expect((await invite(world, [punycode.toUpperCase()])).body.results).toEqual([
    { email: punycode, result: 'already_member' },
  ])
  const others = ['\u212aate', 'ﬁnn', 'ada\u200blind'].map(world.address)
  const { body } = await invite(world, others)
  expect(body.results).toEqual(others.map((email) => ({ email, result: 'invalid' })))
  expect((await resend(world, unicode)).body.code).toBe('invitation_just_sent')
  expect((await resend(world, world.address('ada\u200blind'))).body).toMatchObject({
    status: 422,
    errors: [{ code: 'email_hidden_mark' }],
  })
})
