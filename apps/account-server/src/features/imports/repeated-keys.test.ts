import { and, eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '../../db/members.tables.ts'
import { newKey, newLicense, newMac } from '../../test/factories.ts'
import { load } from '../../test/import.ts'
import { newWorld } from '../../test/world.ts'
import { keyDevices } from '../devices/devices.tables.ts'
import { orders } from '../orders/orders.tables.ts'

test('a refused line does not affect another one with the same key', async () => {
  await using world = await newWorld()
  const line = (email: string, fields: object) => ({ type: 'member', email: `${email}@repeated.test`, ...fields })
  const result = await load(world, [
    line('good-first', { firstName: 'Good', country: 'FR' }),
    line('good-first', { lastName: 'Later', country: 'XX' }),
    line('bad-first', { firstName: 'Bad', country: 'XX' }),
    line('bad-first', { lastName: 'Good', country: 'FR' }),
    line('both', { firstName: 'Ada', company: 'Analytical Engines' }),
    line('both', { lastName: 'Lovelace' }),
  ])

  const country = 'country is not a country code of ISO 3166-1'
  expect(result).toMatchObject({ applied: 4, refusals: [`2 ${country}`, `3 ${country}`] })
  const rows = await world.db.select().from(members).where(like(members.email, '%@repeated.test'))
  const names = rows.map(({ email, firstName, lastName, company }) => [email, firstName, lastName, company])
  expect(names.toSorted()).toEqual([
    ['bad-first@repeated.test', '', 'Good', ''],
    ['both@repeated.test', 'Ada', 'Lovelace', 'Analytical Engines'],
    ['good-first@repeated.test', 'Good', '', ''],
  ])
})

test('natural keys are equal in any notation of the time: the first end of a device counts', async () => {
  await using world = await newWorld()
  const { id: keyId, key } = await newKey(world, (await newLicense(world)).id)
  const device = { type: 'key-device', key, macAddress: newMac(), pcName: 'PC', appVersion: '1.0' }
  const result = await load(world, [
    { ...device, requestDate: '2026-05-01T10:00:00Z', deactivated: '2026-05-02T00:00:00Z' },
    { ...device, requestDate: '2026-05-01T12:00:00+02:00', pcName: 'RENAMED', deactivated: '2026-05-03T00:00:00Z' },
  ])

  expect(result).toMatchObject({ applied: 2, refusals: [] })
  expect(await world.db.select().from(keyDevices).where(eq(keyDevices.keyId, keyId))).toMatchObject([
    { pcName: 'RENAMED', deactivatedAt: new Date('2026-05-02T00:00:00Z') },
  ])
})

test('a device whose activation ends in one line may be active again in the next', async () => {
  await using world = await newWorld()
  const { id: keyId, key } = await newKey(world, (await newLicense(world)).id)
  const device = { type: 'key-device', key, macAddress: newMac(), pcName: 'PC', appVersion: '1.0' }
  const first = { ...device, requestDate: '2026-05-01T10:00:00Z' }
  await load(world, [first])
  const result = await load(world, [
    { ...first, deactivated: '2026-05-02T00:00:00Z' },
    { ...device, requestDate: '2026-05-03T10:00:00Z' },
  ])

  expect(result).toMatchObject({ applied: 2, refusals: [] })
  const active = await world.db.select().from(keyDevices).where(eq(keyDevices.keyId, keyId))
  expect(active.filter(({ deactivatedAt }) => deactivatedAt === null)).toMatchObject([
    { requestedAt: new Date('2026-05-03T10:00:00Z') },
  ])
})

test('an invoice number is free after the line that drops it, not before', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const order = (orderNumber: string, invoiceNumber: string, fields: object = {}) => ({
    ...{ type: 'order', orderNumber, invoiceNumber, email: member.email, status: 'CO', lines: [{ text: 'Editor' }] },
    ...{ amount: 1, currency: 'EUR', date: '2026-05-01T00:00:00Z', ...fields },
  })
  await load(world, [order('RK-1', 'RKI-1'), order('RK-2', 'RKI-2')])
  const result = await load(world, [
    order('RK-3', 'RKI-1'),
    order('RK-1', 'RKI-3'),
    order('RK-4', 'RKI-1'),
    order('RK-2', '', { tax: 5 }),
    order('RK-5', 'RKI-2'),
  ])

  expect(result.refusals).toEqual([
    expect.stringMatching(/^1 invoiceNumber is that of order \S+$/),
    '4 tax is more than the amount',
    expect.stringMatching(/^5 invoiceNumber is that of order \S+$/),
  ])
  const ours = and(like(orders.orderNumber, 'RK-%'), eq(orders.memberId, member.id))
  const rows = await world.db.select().from(orders).where(ours)
  expect(rows.map(({ orderNumber, invoiceNumber }) => [orderNumber, invoiceNumber]).toSorted()).toEqual([
    ['RK-1', 'RKI-3'],
    ['RK-2', 'RKI-2'],
    ['RK-4', 'RKI-1'],
  ])
})

test('refusals are in the order of lines, whatever found them', async () => {
  await using world = await newWorld()
  const line = (email: string, fields: object = {}) => ({ type: 'member', email: `${email}@ordered.test`, ...fields })
  const { refusals } = await load(world, [
    line('one'),
    line('two', { country: 'XX' }),
    line('three', { frstName: 'Ada' }),
    line('four', { country: 'XX' }),
    line('five', { frstName: 'Ada' }),
  ])
  expect(refusals.map((refusal) => refusal.split(' ').slice(0, 2))).toEqual([
    ['2', 'country'],
    ['3', 'frstName'],
    ['4', 'country'],
    ['5', 'frstName'],
  ])
})
