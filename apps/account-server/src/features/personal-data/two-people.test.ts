import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newKey, newKeyDevice, newLicense, newSeat, newSubscription } from '../../test/factories.ts'
import { everything, memberWithEverything } from '../../test/personal-data.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { maskKey } from '../licenses/licenses.rules.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { eraseMember } from './erase-member.service.ts'
import { exportAddress } from './export-member.service.ts'

const now = new Date('2026-06-01T09:30:00Z')

/** Two people with the same names, who have something in every noun, also by their subscriptions. */
async function twoPeople() {
  const world = await newWorld()
  const withLicense = async () => {
    const person = await memberWithEverything(world)
    const { id } = await newLicense(world, { subscriptionId: person.own.id })
    const key = await newKey(world, id)
    await newKeyDevice(world, key.id)
    const keys = [person.key.key, key.key]
    const shown = [person.email, person.member.id, person.orderNumber, key.id, ...keys.map(maskKey)]
    return { ...person, shown, marks: [...shown, ...keys] }
  }
  const [one, other] = [await withLicense(), await withLicense()]
  return { ...world, one, other }
}

test('of two people with everything, each export has what is theirs, and nothing of the other', async () => {
  await using world = await twoPeople()
  const { one, other } = world
  for (const [person, stranger] of [
    [one, other],
    [other, one],
  ] as const) {
    const outcome = await exportAddress(world.db, { email: person.email, now })
    const text = JSON.stringify(outcome)
    expect(person.shown.filter((mark) => !text.includes(mark))).toEqual([])
    expect(stranger.marks.filter((mark) => text.includes(mark))).toEqual([])
  }
})

test('of two people with everything, the erasure of one changes no row about the other', async () => {
  await using world = await twoPeople()
  const { one, other } = world
  const rowsOfOther = async () =>
    (await everything(world)).split('\n').filter((line) => other.marks.some((mark) => line.includes(mark)))
  const before = await rowsOfOther()

  const secret = 'a secret of at least 32 characters'
  const outcome = await eraseMember(world.db, { email: one.email, secret, pastDueDays: 21, dryRun: false, now })

  expect(outcome.kind).toBe('erased')
  expect(await rowsOfOther()).toEqual(before)
})

test('what is proven to be another member’s, although the person’s address was typed there, stays theirs and is not exported', async () => {
  await using world = await twoPeople()
  const { one, other, db } = world
  const object = { provider: 'paypal', kind: 'subscription', objectId: `I-${one.member.id}` } as const
  const paid = { reason: 'price_overridden', amount: 4711, currency: 'USD', boughtAt: now, createdAt: now } as const
  const whose = { email: one.email, memberId: other.member.id, isProven: true }
  await db.insert(unmatchedPurchases).values({ ...object, ...paid, ...whose })

  const text = JSON.stringify(await exportAddress(db, { email: one.email, now }))
  expect([other.member.id, object.objectId].filter((mark) => text.includes(mark))).toEqual([])
  const secret = 'a secret of at least 32 characters'
  await eraseMember(db, { email: one.email, secret, pastDueDays: 21, dryRun: false, now })
  const isIt = eq(unmatchedPurchases.objectId, object.objectId)
  expect(await db.select().from(unmatchedPurchases).where(isIt)).toMatchObject([
    { email: '', memberId: other.member.id, isProven: true },
  ])
})

test('what waits to be checked and is the person’s is exported without the address of whoever has paid for it', async () => {
  await using world = await twoPeople()
  const { one, db } = world
  const object = { provider: 'paypal', kind: 'subscription', objectId: `I-${one.member.id}` } as const
  const paid = { reason: 'price_overridden', amount: 4711, currency: 'USD', boughtAt: now, createdAt: now } as const
  const whose = { email: 'aunt@quennell.test', memberId: one.member.id, isProven: true }
  await db.insert(unmatchedPurchases).values({ ...object, ...paid, ...whose })
  const text = JSON.stringify(await exportAddress(db, { email: one.email, now }))
  expect([object.objectId, '4711', 'aunt@quennell.test'].filter((mark) => text.includes(mark))).toEqual([
    object.objectId,
    '4711',
  ])
})

test('a seat that still has the person’s address of before is freed, and recorded for its Owner', async () => {
  await using world = await twoPeople()
  const { one, other } = world
  const team = await newSubscription(world, other.owner)
  const { id } = await newSeat(world, team.id, { memberId: one.member.id, email: 'before@quennell.test' })

  const secret = 'a secret of at least 32 characters'
  await eraseMember(world.db, { email: one.email, secret, pastDueDays: 21, dryRun: false, now })

  const [seat] = await world.db.select().from(seats).where(eq(seats.id, id))
  expect(seat).toMatchObject({ removedAt: now, email: `erased-${id}@invalid` })
  const rows = await world.db.select().from(activity).where(eq(activity.target, id))
  expect(rows).toMatchObject([{ memberId: other.owner.id, actor: 'operator', action: 'seat.removed' }])
})
