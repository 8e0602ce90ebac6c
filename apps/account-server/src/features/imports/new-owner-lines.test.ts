import { listSubscriptionUsers, removeSubscriptionUser } from '@atrium/contract/team.ts'
import { and, asc, eq, isNull, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deviceSignIn, newProduct } from '../../test/factories.ts'
import { load } from '../../test/import.ts'
import { noProviders } from '../../test/transfers.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

/** A vendor whose file has a contract with its Owner's seat. */
async function vendor(more: object = {}) {
  const world = await newWorld({ settings: noProviders })
  const [before, owner] = [await world.member(), await world.member()]
  const { code: productCode } = await newProduct(world)
  const sid = `S-${before.id}`
  const contract = {
    ...{ type: 'subscription', subscriptionId: sid, email: before.email, productCode, userCount: 1 },
    ...{ status: 'active', origin: 'offline', channel: 'invoice' },
    ...{ periodStart: '2026-01-01T00:00:00Z', periodEnd: '2027-01-01T00:00:00Z', ...more },
  }
  const seatOf = ({ email }: TestMember, seatType: number, is: object = {}) => ({
    ...{ type: 'seat', subscriptionId: sid, email, seatType, status: 'Accepted', isUse: true },
    ...{ invited: '2026-05-01T00:00:00Z', ...is },
  })
  const apply = async (records: readonly object[]) => {
    const { refusals, warned } = await load(world, records)
    expect([refusals, warned]).toEqual([[], []])
  }
  await apply([contract, seatOf(before, 2)])
  const usersFor = async (member: TestMember) => {
    const { body } = await world.as(member).send(listSubscriptionUsers, { params: { sid }, query: {} })
    return body.allData
  }
  const seatsNow = () =>
    world.db
      .select({ email: seats.email, type: seats.type, isUse: seats.isUse })
      .from(seats)
      .where(and(eq(seats.subscriptionId, sid), isNull(seats.removedAt)))
      .orderBy(asc(seats.type))
  const newOwner = { ...contract, email: owner.email }
  return { world, sid, productCode, before, owner, contract, newOwner, seatOf, apply, usersFor, seatsNow }
}

test('whom a file names the Owner gets the seat with its license, and who was it before loses it with its devices', async () => {
  const { world, productCode, before, owner, newOwner, apply, usersFor } = await vendor()
  await using _ = world
  const [signInBefore, signIn] = [
    await deviceSignIn(world, before, productCode),
    await deviceSignIn(world, owner, productCode),
  ]
  const mac = '3C:06:30:12:9A:04'
  expect((await signInBefore({ mac })).status).toBe(200)

  await apply([newOwner])
  expect(await usersFor(owner)).toMatchObject([{ email: owner.email, type: 2, isUse: 1, status: 'Accepted' }])
  expect((await signInBefore({ mac })).body).toMatchObject({ code: 'no_seat' })
  expect((await signIn()).status).toBe(200)

  // Named again, nothing changes.
  await apply([newOwner])
  expect(await usersFor(owner)).toMatchObject([{ email: owner.email, type: 2, isUse: 1 }])
})

test('what a file says of their seats is applied after that, and a removal by the new Owner stays', async () => {
  const { world, sid, before, owner, contract, newOwner, seatOf, apply, seatsNow } = await vendor({ userCount: 2 })
  await using _ = world
  await apply([seatOf(owner, 0)])
  const file = [newOwner, seatOf(before, 0), seatOf(owner, 2, { isUse: false })]
  await apply(file)
  const named = [
    { email: before.email, type: 0, isUse: true },
    { email: owner.email, type: 2, isUse: false },
  ]
  expect(await seatsNow()).toEqual(named)

  await apply([contract, seatOf(before, 2), seatOf(owner, 0)])
  expect(await seatsNow()).toEqual([
    { email: owner.email, type: 0, isUse: true },
    { email: before.email, type: 2, isUse: true },
  ])

  await apply(file)
  expect(await seatsNow()).toEqual(named)
  const isTheirs = and(eq(seats.subscriptionId, sid), eq(seats.email, before.email), isNull(seats.removedAt))
  const [seat] = await world.db.select().from(seats).where(isTheirs)
  const asked = { lang: 'en-us', orgCode: '', setupAdmin: 0, type: 0 } as const
  const body = { ...asked, email: before.email, distributionUuid: seat?.id ?? '' }
  expect((await world.as(owner).send(removeSubscriptionUser, { params: { sid }, body })).status).toBe(200)
  expect((await load(world, file)).warned).toEqual(['2 email was removed here after `invited`: not applied'])
  expect(await seatsNow()).toEqual([{ email: owner.email, type: 2, isUse: false }])
})

test('an add-on that a file leaves with the Owner before belongs to nothing of the new one', async () => {
  const { world, sid, contract, newOwner, apply } = await vendor()
  await using _ = world
  const addOns = ['stays', 'moves'].map((name) => ({ ...contract, subscriptionId: `${name}-${sid}`, parentId: sid }))
  await apply(addOns)
  const [stays, moves] = addOns
  await apply([newOwner, { ...moves, email: newOwner.email }])
  const rows = await world.db
    .select({ id: subscriptions.id, parentId: subscriptions.parentId })
    .from(subscriptions)
    .where(like(subscriptions.id, `%-${sid}`))
    .orderBy(asc(subscriptions.id))
  expect(rows).toEqual([
    { id: moves?.subscriptionId, parentId: sid },
    { id: stays?.subscriptionId, parentId: null },
  ])
})

test('an Owner’s seat that an earlier version left to the Owner before ends with the line of the new one', async () => {
  const { world, sid, owner, newOwner, seatOf, apply, seatsNow } = await vendor()
  await using _ = world
  await world.db.update(subscriptions).set({ memberId: owner.id }).where(eq(subscriptions.id, sid))
  await apply([newOwner, seatOf(owner, 2)])
  expect(await seatsNow()).toEqual([{ email: owner.email, type: 2, isUse: true }])
})
