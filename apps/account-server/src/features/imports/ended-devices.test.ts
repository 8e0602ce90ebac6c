import { deactivateEmailDevice } from '@atrium/contract/devices.ts'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deviceSignIn, newMac, newProduct } from '../../test/factories.ts'
import { load } from '../../test/import.ts'
import { newWorld } from '../../test/world.ts'
import { emailDevices } from '../devices/devices.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'

/** A colleague with two devices of a file, one of which was deactivated here, who had a seat before the one of now. */
async function secondSeat() {
  const world = await newWorld({ now: '2026-06-01T00:00:00Z' })
  const [owner, colleague] = [await world.member(), await world.member()]
  const { code: productCode } = await newProduct(world)
  const subscriptionId = `S-${owner.id}`
  const contract = {
    ...{ type: 'subscription', subscriptionId, email: owner.email, productCode, userCount: 2, status: 'active' },
    ...{
      origin: 'offline',
      channel: 'invoice',
      periodStart: '2026-01-01T00:00:00Z',
      periodEnd: '2027-01-01T00:00:00Z',
    },
  }
  const seat = { type: 'seat', subscriptionId, status: 'Accepted', isUse: true, invited: '2026-05-01T00:00:00Z' }
  const theirSeat = { ...seat, email: colleague.email, seatType: 0 }
  const device = {
    ...{ type: 'email-device', subscriptionId, email: colleague.email, appName: 'Folio', appVersion: '13.0' },
    updated: '2026-05-02T00:00:00Z',
  }
  const stolen = { ...device, hostName: 'STOLEN', mac: newMac() }
  const usual = { ...device, hostName: 'USUAL', mac: newMac() }
  const file = [contract, { ...seat, email: owner.email, seatType: 2 }, theirSeat, stolen, usual]
  expect((await load(world, file)).refusals).toEqual([])

  const [lost] = await world.db.select().from(emailDevices).where(eq(emailDevices.mac, stolen.mac))
  const params = { licenceId: lost?.id ?? '' }
  expect((await world.as(owner).send(deactivateEmailDevice, { params })).status).toBe(200)
  const removedAt = new Date('2026-06-02T00:00:00Z')
  await world.db.update(seats).set({ removedAt }).where(eq(seats.email, colleague.email))
  const again = { ...theirSeat, invited: '2026-06-03T00:00:00Z' }
  await load(world, [again])

  const devicesNow = () =>
    world.db
      .select({ hostName: emailDevices.hostName, deactivatedAt: emailDevices.deactivatedAt })
      .from(emailDevices)
      .innerJoin(seats, eq(seats.id, emailDevices.seatId))
      .where(and(eq(seats.email, colleague.email), isNull(seats.removedAt)))
      .orderBy(asc(emailDevices.hostName))
  return {
    world,
    colleague,
    productCode,
    file: [...file.slice(0, 2), again, ...file.slice(3)],
    stolen,
    usual,
    devicesNow,
  }
}

test('what was deactivated here, or ended with a seat, is not active on the next one when the same file is imported again', async () => {
  const { world, file, devicesNow } = await secondSeat()
  await using _ = world
  expect(await load(world, file)).toMatchObject({ applied: file.length, refusals: [], warned: [] })
  expect(await devicesNow()).toEqual([])
})

test('a device that the file has heard of since then is active, but for one that was deactivated here', async () => {
  const { world, stolen, usual, devicesNow } = await secondSeat()
  await using _ = world
  const updated = '2026-06-04T00:00:00Z'
  await load(world, [
    { ...stolen, updated },
    { ...usual, updated },
  ])
  expect(await devicesNow()).toEqual([{ hostName: 'USUAL', deactivatedAt: null }])
})

test('one that was activated again on the seat of now takes what the file says since', async () => {
  const { world, colleague, productCode, stolen, devicesNow } = await secondSeat()
  await using _ = world
  const signIn = await deviceSignIn(world, colleague, productCode)
  expect((await signIn({ mac: stolen.mac, appName: stolen.appName, hostName: 'FOUND' })).status).toBe(200)
  await load(world, [stolen])
  expect(await devicesNow()).toEqual([{ hostName: 'FOUND', deactivatedAt: null }])
  const deactivated = '2026-06-05T00:00:00Z'
  await load(world, [{ ...stolen, hostName: 'FOUND', updated: '2026-06-04T00:00:00Z', deactivated }])
  expect(await devicesNow()).toEqual([{ hostName: 'FOUND', deactivatedAt: new Date(deactivated) }])
})
