import { activateDevice, deactivateDevice } from '@atrium/contract/activation.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deviceSignIn, newKey, newLicense, newMac } from '../../test/factories.ts'
import { everything } from '../../test/personal-data.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../test/typed-purchase.ts'
import { orders } from '../orders/orders.tables.ts'
import { eraseMember } from './erase-member.service.ts'

const sandbox = await sandboxOfFile()

test('an erasure of who had a subscription by mistake takes their own devices, and no name of its Owner’s', async () => {
  await using world = await typedPurchase(sandbox)
  const [right, mistaken] = [await world.member(), world.buyer]
  const { id: licenseId } = await newLicense(world, { subscriptionId: world.sid })
  const { key: sn } = await newKey(world, licenseId)
  const pc = { method: 'keycode', sn, macAddress: newMac(), pcName: 'OWNERS-PC', appVersion: '13.1.0' } as const
  const laptop = { mac: newMac(), hostName: 'THEIR-LAPTOP' }
  const { body: onKey } = await world.device(activateDevice, { body: pc })
  const { body: byEmail } = await (await deviceSignIn(world, mistaken, world.product.code))(laptop)

  expect(await world.linkCustomer(right.email)).toBe(0)
  await world.device(deactivateDevice, { body: { activationId: onKey.activationId, mac: pc.macAddress } })
  await world.device(deactivateDevice, { body: { activationId: byEmail.activationId, mac: laptop.mac } })
  await world.db.update(orders).set({ origin: 'imported' }).where(eq(orders.memberId, mistaken.id))
  const erasure = { email: mistaken.email, secret: 'a secret of at least 32 characters', pastDueDays: 21 }
  const erased = await eraseMember(world.db, { ...erasure, dryRun: false, now: world.deps.clock() })
  expect(erased).toMatchObject({ kind: 'erased' })

  const left = await everything(world)
  for (const trace of [pc.pcName, pc.macAddress]) expect(left).toContain(trace)
  for (const trace of [laptop.hostName, laptop.mac]) expect(left).not.toContain(trace)
})
