import { acceptInvitation } from '@atrium/contract/invitations.ts'
import { locales } from '@atrium/contract/locale.ts'
import { type SeatType, seatTypes } from '@atrium/contract/seat-types.ts'
import { addSubscriptionUsers, changeUserRole, removeSubscriptionUser } from '@atrium/contract/team.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { newProduct, newSeat, newSubscription } from '../../../test/factories.ts'
import { newWorld, type TestMember } from '../../../test/world.ts'
import { mailQueue } from '../../mail/mail.writes.ts'
import { seats } from '../../subscriptions/seats.tables.ts'
import { acceptedEmail, removedEmail, roleChangedEmail } from './team-emails.ts'

const { member: asMember, admin, setupAdmin } = seatTypes
const Sent = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() })

/** An Owner with a team of five seats, and a person in it. */
async function team(
  type: SeatType,
  { owner: ownersNames = {}, person: values = {}, isUse = type !== setupAdmin } = {},
) {
  const world = await newWorld()
  const owner = await world.member({ firstName: 'Ada', lastName: 'Lovelace', ...ownersNames })
  const person = await world.member({ firstName: 'Grace', lastName: 'Hopper', ...values })
  const { code } = await newProduct(world, { name: 'Folio PDF Editor+' })
  const { id: sid } = await newSubscription(world, owner, { productCode: code, userCount: 5 })
  const seat = await newSeat(world, sid, { memberId: person.id, email: person.email, type, isUse })
  const shown = { orgCode: 'ORG', email: person.email, distributionUuid: seat.id, lang: 'en-us' as const }
  const flagOf = (of: SeatType) => (of === setupAdmin ? (1 as const) : (0 as const))
  return {
    ...world,
    ...{ owner, person, sid, seat },
    changeRole: (to: 0 | 3, who: TestMember = owner, from: SeatType = type) =>
      world.as(who).send(changeUserRole, { params: { sid }, body: { ...shown, type: to, setupAdmin: flagOf(from) } }),
    remove: (pending: 0 | 1 = 0) =>
      world
        .as(owner)
        .send(removeSubscriptionUser, { params: { sid }, body: { ...shown, type: pending, setupAdmin: flagOf(type) } }),
    mails: () => world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : [])),
  }
}

test.each([
  [
    'a Member who becomes a Setup Admin',
    asMember,
    setupAdmin,
    'from Member to Setup Admin',
    'holds no license',
    'subId=',
  ],
  [
    'a Setup Admin who becomes a Member',
    setupAdmin,
    asMember,
    'from Setup Admin to Member',
    'now have a license',
    'my-products',
  ],
  ['an Admin who becomes a Member', admin, asMember, 'from Admin to Member', 'Your license stays', 'my-products'],
] as const)('%s hears who has changed it, and what it means', async (_who, before, after, change, meaning, link) => {
  await using world = await team(before)
  expect((await world.changeRole(after)).status).toBe(200)
  expect(world.mails()).toMatchObject([
    { to: world.person.email, subject: 'Your role in Folio PDF Editor+ has changed' },
  ])
  const [{ text = '' } = {}] = world.mails()
  expect(text).toContain(`Hello Grace,\n\nAda Lovelace (${world.owner.email}) changed your role`)
  for (const part of [change, meaning, link]) expect(text).toContain(part)
})

test('a manager changes a person’s role five times in a day: each time the person is emailed, the sixth has to wait', async () => {
  await using world = await team(asMember)
  const manager = await world.member()
  await newSeat(world, world.sid, { memberId: manager.id, email: manager.email, type: setupAdmin, isUse: false })
  const begun = world.deps.clock().getTime()
  const after = (hours: number) => world.at(new Date(begun + hours * 3_600_000))
  /** Whose session of before has ended with the time. */
  const signedIn = async (who = world.owner) => ({ ...who, cookie: await world.session(who.id) })
  const promote = async () => world.changeRole(setupAdmin, await signedIn())
  const demote = async (who?: TestMember) => world.changeRole(asMember, await signedIn(who), setupAdmin)
  for (const [hours, change] of [promote, demote, promote, demote, promote].entries()) {
    after(hours)
    expect((await change()).status).toBe(200)
  }
  const sixth = await demote()
  expect([sixth.status, sixth.body.code, sixth.headers['retry-after']]).toEqual([429, 'too_often', String(20 * 3600)])
  expect(world.mails()).toHaveLength(5)

  // Another manager has changes of their own.
  expect((await demote(manager)).status).toBe(200)
  expect((await promote()).status).toBe(429)
  after(24)
  expect((await promote()).status).toBe(200)
})

test('of two changes at once in two teams, the one that would be the sixth has to wait', async () => {
  await using world = await team(asMember)
  const { owner, person } = world
  const { code } = await newProduct(world, { name: 'Folio PDF Reader' })
  const { id: otherSid } = await newSubscription(world, owner, { productCode: code, userCount: 5 })
  const other = await newSeat(world, otherSid, {
    memberId: person.id,
    email: person.email,
    type: asMember,
    isUse: true,
  })
  const shown = { orgCode: 'ORG', email: person.email, distributionUuid: other.id, lang: 'en-us' as const }
  const promoteThere = () =>
    world
      .as(owner)
      .send(changeUserRole, { params: { sid: otherSid }, body: { ...shown, type: setupAdmin, setupAdmin: 0 } })
  const promote = () => world.changeRole(setupAdmin)
  const demote = () => world.changeRole(asMember, owner, setupAdmin)
  for (const change of [promote, demote, promote, demote]) expect((await change()).status).toBe(200)

  const replies = await Promise.all([promote(), promoteThere()])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 429])
  expect(world.mails()).toHaveLength(5)
})

test('to an Admin without a license the email says nothing about one', async () => {
  await using world = await team(admin, { isUse: false })
  await world.changeRole(asMember)
  const [{ text = '' } = {}] = world.mails()
  expect(text).toContain('no longer manage the users')
  expect(text).not.toContain('license')
})

test('to a Member without a license the email does not say that they lose one', async () => {
  await using world = await team(asMember, { isUse: false })
  await world.changeRole(setupAdmin)
  const [{ text = '' } = {}] = world.mails()
  expect(text).toContain('A Setup Admin holds no license.')
  expect(text).not.toMatch(/no longer|stops working/)
})

test('two changes at once are one email, and a refused one none', async () => {
  await using world = await team(asMember)
  const replies = await Promise.all([world.changeRole(setupAdmin), world.changeRole(setupAdmin)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(world.mails()).toHaveLength(1)
  expect((await world.changeRole(asMember, world.person)).status).not.toBe(200)
  expect(world.mails()).toHaveLength(1)
})

test.each([
  [asMember, true, ['You can no longer use'], ['no longer manage']],
  [setupAdmin, false, ['no longer manage'], ['You can no longer use']],
  [admin, true, ['You can no longer use', 'no longer manage'], []],
] as const)('who is removed hears by whom, and what stops: role %s', async (type, isUse, stops, others) => {
  await using world = await team(type, { isUse, person: { locale: 'en-us' } })
  expect((await world.remove()).status).toBe(200)
  expect(world.mails()).toMatchObject([{ to: world.person.email, subject: 'You were removed from Folio PDF Editor+' }])
  const [{ text = '' } = {}] = world.mails()
  expect(text).toContain(`Ada Lovelace (${world.owner.email}) removed you`)
  expect(text).toContain(`contact ${world.owner.email}`)
  for (const part of stops) expect(text).toContain(part)
  for (const part of others) expect(text).not.toContain(part)
})

test('the email has the person’s language, not that of who changed the role', async () => {
  await using world = await team(asMember, { person: { locale: 'de-de' } })
  await world.changeRole(setupAdmin)
  expect(world.mails()).toMatchObject([{ subject: 'Ihre Rolle in Folio PDF Editor+ wurde geändert' }])
})

test('an invitation that is withdrawn sends nothing', async () => {
  await using world = await team(asMember)
  await world.db
    .update(seats)
    .set({ status: 'Pending', memberId: null, isUse: false })
    .where(eq(seats.id, world.seat.id))
  expect((await world.remove(1)).status).toBe(200)
  expect(world.mails()).toEqual([])
})

/** @returns the emails that an acceptance sent */
async function accepted(world: Awaited<ReturnType<typeof team>>, inviter: TestMember, before = async () => {}) {
  const guest = await world.member()
  const body = {
    orgCode: 'ORG',
    emailList: [guest.email],
    setupType: 'member' as const,
    type: false,
    lang: 'en-us' as const,
  }
  expect((await world.as(inviter).send(addSubscriptionUsers, { params: { sid: world.sid }, body })).status).toBe(200)
  const [, token = ''] = /invitation=([\w-]{43})/.exec(world.mails().at(-1)?.text ?? '') ?? []
  await before()
  const known = world.mails().length
  const accept = () => world.as(guest).send(acceptInvitation, { body: { token } })
  expect((await Promise.all([accept(), accept()])).map(({ status }) => status)).toEqual([200, 200])
  return { guest, mails: world.mails().slice(known) }
}

test.each(['owner', 'person'] as const)(
  'the %s, having invited somebody, hears once that they accepted',
  async (inviter) => {
    await using world = await team(setupAdmin)
    // Some more who manage the team: whichever of them came first would be told by mistake.
    for (let more = 0; more < 6; more += 1) {
      const { id: memberId, email } = await world.member()
      await newSeat(world, world.sid, { memberId, email, type: setupAdmin, isUse: false })
    }
    const { mails } = await accepted(world, world[inviter])
    expect(mails).toMatchObject([
      { to: world[inviter].email, subject: 'Your invitation to Folio PDF Editor+ was accepted' },
    ])
    expect(mails[0]?.text).toContain('is now on your team as Member')
    expect(mails[0]?.text).toContain(`/account?tab=license-management&subId=${world.sid}`)
  },
)

test('once the one who invited no longer manages the team, its Owner hears of it, and they do not', async () => {
  await using world = await team(setupAdmin)
  const { mails } = await accepted(world, world.person, async () => void (await world.remove()))
  expect(mails.map(({ to }) => to)).toEqual([world.owner.email])
})

test('names with line breaks, markup and marks of direction stay words', async () => {
  const odd = { firstName: 'Eve\r\nBcc: x@example.test', lastName: '\u202e<script>alert(1)</script>' }
  await using world = await team(asMember, { owner: odd, person: odd })
  await world.changeRole(setupAdmin)
  const [email] = world.mails()
  expect(email?.subject).not.toMatch(/[\r\n\u202e]/)
  expect(email?.html).not.toContain('<script>')
  expect(email?.text).not.toMatch(/\r|\u202e|^Bcc/m)
})

test.each(locales)('$code: every email is written, with nothing left open', ({ code: lang, name: _, ...locale }) => {
  const frame = {
    ...{ lang, receiver: { firstName: '', lastName: '' }, appName: 'Folio' },
    ...{ brandName: 'Folio', brandColor: '#b3261e', publicUrl: 'https://account.folio.test' },
    actor: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@folio.test' },
  }
  const seat = { type: admin, isUse: true, subscriptionId: 'sub_1', email: 'grace@folio.test' }
  const emails = [
    roleChangedEmail({ ...frame, seat: { ...seat, type: asMember } }, setupAdmin),
    roleChangedEmail({ ...frame, seat: { ...seat, type: asMember, isUse: false } }, setupAdmin),
    roleChangedEmail({ ...frame, seat: { ...seat, type: setupAdmin } }, asMember),
    roleChangedEmail({ ...frame, seat }, asMember),
    removedEmail({ ...frame, seat }),
    acceptedEmail({ ...frame, seat }),
  ]
  for (const { subject, text, html } of emails) {
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/\{\{|\}\}|(roleChanged|removed|accepted|names)\.\w|undefined|null/)
    }
    if (lang !== 'en-us') expect(text).not.toMatch(/You |your |Manage users|Open My/)
    if (locale.prefix !== '' && text.includes('https:')) expect(text).toContain(`.test/${locale.prefix}/account`)
  }
})
