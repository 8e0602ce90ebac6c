import { validateDevice } from '@atrium/contract/activation.ts'
import {
  deactivateEmailDevice,
  deactivateKeyDevice,
  listEmailDevices,
  listKeyDevices,
} from '@atrium/contract/devices.ts'
import { listLicenses, readLicenseKeys } from '@atrium/contract/licenses.ts'
import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deviceSignIn, newEmailDevice, newKey, newKeyDevice, newLicense, newMac } from '../../../test/factories.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { seats } from '../seats.tables.ts'

const sandbox = await sandboxOfFile()

test('with what is not the member’s go its license, key and devices; they are whose it is', async () => {
  await using world = await typedPurchase(sandbox)
  const { caller, sid } = world
  const license = await newLicense(world, { subscriptionId: sid })
  const key = await newKey(world, license.id)
  const keyDevice = await newKeyDevice(world, key.id)
  const isTheirs = and(eq(seats.subscriptionId, sid), isNull(seats.removedAt))
  const [seat] = await world.db.select().from(seats).where(isTheirs)
  const device = await newEmailDevice(world, seat?.id ?? '')

  const seen = async (as: Pick<typeof caller, 'send'>) => {
    const { body: licenses } = await as.send(listLicenses, { query: {} })
    const { body: devices } = await as.send(listEmailDevices, { query: {} })
    return [licenses.total, devices.licenceList.length]
  }
  const attempts = async (as: Pick<typeof caller, 'send'>) => [
    (await as.send(readLicenseKeys, { params: { licenseId: license.id } })).status,
    (await as.send(listKeyDevices, { query: { code: key.id } })).status,
    (await as.send(deactivateKeyDevice, { params: { id: keyDevice.id }, body: { code: key.id } })).status,
    (await as.send(deactivateEmailDevice, { params: { licenceId: device.id } })).status,
  ]
  expect(await seen(caller)).toEqual([1, 1])
  expect((await caller.send(declineSubscription, { params: { sid } })).status).toBe(200)
  expect([await seen(caller), await attempts(caller)]).toEqual([
    [0, 0],
    [404, 404, 404, 404],
  ])

  const right = await world.member()
  expect(await world.linkCustomer(right.email)).toBe(0)
  const theirs = world.as({ cookie: await world.session(right.id) })
  expect((await attempts(theirs)).slice(0, 3)).toEqual([200, 200, 200])
  expect(await attempts(caller)).toEqual([404, 404, 404, 404])
})

test('a device is activated on the member’s own seat before one that only an address gave, so that it stays when that goes', async () => {
  await using world = await typedPurchase(sandbox)
  const { caller, sid, buyer, product } = world
  await world.buy()
  // Among equals, it would come first.
  const first = '00000000-0000-4000-8000-000000000000'
  await world.db.update(seats).set({ id: first }).where(eq(seats.subscriptionId, sid))
  const signIn = await deviceSignIn(world, buyer, product.code)
  const mac = newMac()
  const { body } = await signIn({ mac })

  expect((await caller.send(declineSubscription, { params: { sid } })).status).toBe(200)
  const valid = await world.device(validateDevice, { body: { activationId: body.activationId, mac } })
  expect(valid.body).toMatchObject({ state: 'active' })
})
