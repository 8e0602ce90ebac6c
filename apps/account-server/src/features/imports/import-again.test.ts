import { acceptInvitation } from '@atrium/contract/invitations.ts'
import { listLicenses } from '@atrium/contract/licenses.ts'
import {
  addSubscriptionUsers,
  changeUserRole,
  removeSubscriptionUser,
  resendInvitation,
} from '@atrium/contract/team.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newProduct } from '../../test/factories.ts'
import { load } from '../../test/import.ts'
import { noProviders, transfersIn } from '../../test/transfers.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

const common = { lang: 'en-us' as const, orgCode: '' }
const billed = { status: 'active', origin: 'online', channel: 'card', price: 12000, currency: 'USD' } as const

/** A vendor whose file has a subscription with a colleague in it, and what the file says of both. */
async function vendor(colleagueIs: object = {}, subscriptionIs: object = billed) {
  const world = await newWorld({ settings: noProviders })
  const [owner, colleague, other] = [await world.member(), await world.member(), await world.member()]
  const { code: productCode } = await newProduct(world)
  const sid = `S-${owner.id}`
  const seat = { type: 'seat', subscriptionId: sid, status: 'Accepted', invited: '2026-05-31T00:00:00Z' }
  const ownSeat = { ...seat, email: owner.email, seatType: 2, isUse: true }
  const theirSeat = { ...seat, email: colleague.email, seatType: 3, isUse: false, ...colleagueIs }
  const subscription = {
    ...{ type: 'subscription', subscriptionId: sid, email: owner.email, productCode, userCount: 3 },
    ...{ periodStart: '2026-01-01T00:00:00Z', periodEnd: '2027-01-01T00:00:00Z', ...subscriptionIs },
  }
  expect((await load(world, [subscription, ownSeat, theirSeat])).refusals).toEqual([])
  const seatNow = async () => {
    const isTheirs = and(eq(seats.subscriptionId, sid), eq(seats.email, colleague.email), isNull(seats.removedAt))
    return (await world.db.select().from(seats).where(isTheirs))[0]
  }
  const first = await seatNow()
  const params = { sid }
  const body = { ...common, email: colleague.email, distributionUuid: first?.id ?? '' }
  return {
    ...{ world, sid, owner, colleague, other, seatNow, subscription, theirSeat },
    again: (more: object = {}) => load(world, [subscription, ownSeat, { ...theirSeat, ...more }]),
    row: async () => (await world.db.select().from(subscriptions).where(eq(subscriptions.id, sid)))[0],
    remove: () =>
      world
        .as(owner)
        .send(removeSubscriptionUser, { params, body: { ...body, setupAdmin: 1 as const, type: 0 as const } }),
    invite: () =>
      world.as(owner).send(addSubscriptionUsers, {
        params: { sid },
        body: { ...common, setupType: 'member' as const, type: false, emailList: [colleague.email] },
      }),
    makeMember: () =>
      world.as(owner).send(changeUserRole, { params, body: { ...body, setupAdmin: 1 as const, type: 0 as const } }),
    resend() {
      const asked = { ...common, email: colleague.email, setupAdmin: 0 as const }
      return world.as(owner).send(resendInvitation, { params, body: asked })
    },
    accept() {
      const token =
        /[?&]invitation=([\w-]{43})/.exec(String(transfersIn(world).emailsTo(colleague.email).at(-1)?.text))?.[1] ?? ''
      return world.as(colleague).send(acceptInvitation, { body: { token } })
    },
  }
}

test.each([
  ['that is given', { status: 'given', origin: 'given', channel: 'invoice' }],
  ['that was prepaid', { ...billed, term: 'paid_yearly' }],
  ['that ends', { ...billed, term: 'yearly', autoRenewal: false }],
])('a file that names the Owner before a transfer does not take back one %s', async (_, is) => {
  const { world, owner, other, again, row, subscription } = await vendor({}, is)
  await using __ = world
  const { transfer } = transfersIn(world)
  // What is given goes along with what renews.
  const renewing = { ...subscription, ...billed, subscriptionId: `R-${owner.id}`, term: 'yearly', autoRenewal: true }
  await load(world, [renewing])
  expect((await transfer(owner, other)).status).toBe(200)
  const { refusals } = await again()
  expect(refusals[0]).toBe(
    '1 email it is billed to another customer, or was transferred to one; whom a file has named is corrected by npm run members -- link-customer',
  )
  expect(await row()).toMatchObject({ memberId: other.id, userCount: 3 })

  // With its Owner of now, a line is applied.
  expect((await load(world, [{ ...subscription, email: other.email, userCount: 4 }])).refusals).toEqual([])
  expect(await row()).toMatchObject({ memberId: other.id, userCount: 4 })
})

test('who was removed from a team is added again only by a line that says they were invited since', async () => {
  const { world, remove, again, seatNow } = await vendor()
  await using _ = world
  expect((await remove()).status).toBe(200)
  for (const more of [{}, { isUse: true, seatType: 0 }]) {
    const { warned } = await again(more)
    expect(warned).toContain('3 email was removed here after `invited`: not applied')
    expect(await seatNow()).toBeUndefined()
  }
  const invited = new Date(world.deps.clock().getTime() + 60_000).toISOString()
  expect((await again({ invited })).warned).toEqual([])
  expect(await seatNow()).toMatchObject({ status: 'Accepted', type: 3 })
})

test.each([false, true])(
  'who was removed and is invited again is what the Owner makes them; accepted: %s',
  async (accepts) => {
    const { world, remove, invite, accept, again, seatNow } = await vendor()
    await using _ = world
    await remove()
    expect((await invite()).status).toBe(200)
    if (accepts) expect((await accept()).status).toBe(200)
    const invited = await seatNow()
    expect(invited).toMatchObject({ type: 0, status: accepts ? 'Accepted' : 'Pending' })
    expect((await again()).warned).toEqual([])
    // What is new of the seat before is nothing to this one.
    expect((await again({ isUse: true, seatType: 1 })).warned).toEqual([
      '3 email was removed here after `invited`: not applied',
    ])
    expect(await seatNow()).toEqual(invited)

    const since = new Date(world.deps.clock().getTime() + 60_000).toISOString()
    expect((await again({ invited: since })).warned).toEqual([])
    expect(await seatNow()).toMatchObject({ type: 3 })
  },
)

test('whom it names the Holder as the Owner before the transfer gets no part in the license back; another one keeps theirs', async () => {
  const { world, sid, owner, colleague, other, subscription } = await vendor()
  await using __ = world
  await load(world, [{ ...subscription, term: 'yearly', autoRenewal: true }])
  const licenseId = `L-${sid}`
  const contact = { type: 'license-contact', licenseId, relationship: 'Holder', userRole: 'bill' }
  const file = [
    {
      ...{ type: 'license', licenseId, subscriptionId: sid, version: '13', edition: 'Standard', language: 'English' },
      ...{ platform: 'Windows', created: '2026-01-01T00:00:00Z', activationMethod: 'keycode' },
    },
    { ...contact, email: owner.email },
    { ...contact, email: colleague.email },
  ]
  expect((await load(world, file)).refusals).toEqual([])
  expect((await transfersIn(world).transfer(owner, other)).status).toBe(200)
  const licenses = async (member: TestMember) => (await world.as(member).send(listLicenses, { query: {} })).body.total
  const ofAll = async () => [await licenses(owner), await licenses(colleague), await licenses(other)]
  expect(await ofAll()).toEqual([0, 1, 1])

  const { refusals } = await load(world, file)
  expect(refusals).toEqual(['2 email the subscription was transferred to another customer, who is the Holder'])
  expect(await ofAll()).toEqual([0, 1, 1])
})

test('who has accepted since stays, with their license', async () => {
  const { world, colleague, resend, accept, again, seatNow } = await vendor({ status: 'Pending', seatType: 0 })
  await using _ = world
  expect((await resend()).status).toBe(200)
  expect((await accept()).status).toBe(200)
  const accepted = { status: 'Accepted', isUse: true, memberId: colleague.id }
  for (const more of [{}, { invited: '2026-06-01T00:00:00Z' }]) {
    await again(more)
    expect(await seatNow()).toMatchObject(accepted)
  }
})

test('a role that the Owner has changed stays, until the file says something else', async () => {
  const { world, makeMember, again, seatNow } = await vendor()
  await using _ = world
  expect((await makeMember()).status).toBe(200)
  const changed = await seatNow()
  await again()
  expect(await seatNow()).toEqual(changed)
  await again({ seatType: 1, isUse: true })
  expect(await seatNow()).toMatchObject({ type: 1, isUse: true })
})

test('sharing of envelopes that was enabled here stays enabled', async () => {
  const { world, sid, again, row } = await vendor()
  await using _ = world
  await world.db.update(subscriptions).set({ isPooled: true }).where(eq(subscriptions.id, sid))
  await again()
  expect((await row())?.isPooled).toBe(true)
})
