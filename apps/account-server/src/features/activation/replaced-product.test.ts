import { activateDevice, validateDevice } from '@atrium/contract/activation.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { heldKey, newMac, newProduct, seatWithSignIn } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { licenses } from '../licenses/licenses.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

test.each(['storage', 'connector'] as const)(
  'what runs ends once the product is no program any more: %s',
  async (flag) => {
    await using world = await newWorld()
    const { signIn, subscription, product } = await seatWithSignIn(world)
    const mac = newMac()
    const { activationId } = (await signIn({ mac })).body
    const state = async () => (await world.device(validateDevice, { body: { activationId, mac } })).body.state
    const sell = (productCode: string) =>
      world.db.update(subscriptions).set({ productCode }).where(eq(subscriptions.id, subscription.id))
    expect(await state()).toBe('active')

    const other = await newProduct(world, { flags: [flag] })
    await sell(other.code)
    expect(await state()).toBe('license_expired')
    expect((await signIn({ mac, appCode: other.code })).body.code).toBe('license_expired')
    await sell(product.code)
    expect(await state()).toBe('active')
  },
)

test('a key of what is no program activates nothing, and ends what runs', async () => {
  await using world = await newWorld()
  const { license, key } = await heldKey(world, await world.member())
  const mac = newMac()
  const device = { method: 'keycode', sn: key.key, pcName: 'ADA-THINKPAD', appVersion: '13.1.0' } as const
  const activate = (macAddress: string) => world.device(activateDevice, { body: { ...device, macAddress } })
  const { activationId } = (await activate(mac)).body
  const storage = await newProduct(world, { flags: ['storage'] })
  await world.db.update(licenses).set({ productCode: storage.code }).where(eq(licenses.id, license.id))
  const reply = await world.device(validateDevice, { body: { activationId, mac } })
  expect(reply.body).toMatchObject({ state: 'license_expired', productCode: storage.code })
  expect((await activate(newMac())).body.code).toBe('license_expired')
})

test('validation names the program that the device may run now', async () => {
  await using world = await newWorld()
  const { signIn, subscription, product } = await seatWithSignIn(world)
  const mac = newMac()
  const { activationId } = (await signIn({ mac })).body
  const validate = async () => (await world.device(validateDevice, { body: { activationId, mac } })).body
  expect(await validate()).toMatchObject({ state: 'active', productCode: product.code })

  const cheaper = await newProduct(world)
  await world.db.update(subscriptions).set({ productCode: cheaper.code }).where(eq(subscriptions.id, subscription.id))
  expect(await validate()).toMatchObject({ state: 'active', productCode: cheaper.code })
})
