import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '../../db/members.tables.ts'
import { paypalSubscription } from '../../test/paypal-subscriptions.ts'
import { newWorld } from '../../test/world.ts'
import { orders } from '../orders/orders.tables.ts'
import { signReference } from '../payments/customers/account-reference.rules.ts'
import { syncPaypalRefund, syncPaypalSubscription, syncSale } from '../subscriptions/paypal-subscriptions.sync.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

const at = (day: number) => new Date(Date.UTC(2026, 5, day))

/** A member's subscription at PayPal, and a payment of 30.00 for it on the first of June. */
async function payer() {
  const secret = 'a secret that the shop and the account area share'
  const world = await newWorld({ now: at(2).toISOString(), settings: { SHOP_SIGNING_SECRET: secret } })
  const { db, paypal } = world.deps
  const member = await world.member()
  const customId = signReference(secret, { subject: member.id, expiresAt: at(1) })
  const [id, saleId] = [`I-${randomUUID()}`, `SALE-${randomUUID()}`]
  const given = paypalSubscription({
    ...{ id, planId: 'P-A', productId: 'prod_pp', planName: 'Plan A', quantity: 3, customId, startsAt: at(0) },
    ...{ payer: { email: member.email, name: '' }, nextBillingAt: at(30) },
  })
  const sale = {
    ...{ id: saleId, subscriptionId: id, isPending: false, isFailed: false, total: 3000, tax: 0, currency: 'USD' },
    ...{ paidAt: at(1), refundedAt: null },
  }
  paypal.readSubscription = async () => given
  paypal.readSale = async () => sale
  const order = async () => (await db.select().from(orders).where(eq(orders.providerId, saleId)))[0]
  return { ...world, member, given, sale, order, newMember: world.member }
}

const refundOf = ({ id: saleId }: { id: string }, id: string) => ({
  ...{ id, saleId, isFailed: false, amount: 1000, refundedAt: at(2) },
})

test.each([false, true])(
  'after a new address of the member, payments stay theirs (the old one is somebody else’s now: %s)',
  async (isTaken) => {
    await using world = await payer()
    const { member, given, sale } = world
    await syncPaypalSubscription(world.deps, given.id)
    await world.db
      .update(members)
      .set({ email: `new-${member.email}` })
      .where(eq(members.id, member.id))
    if (isTaken) {
      const { id } = await world.newMember()
      await world.db.update(members).set({ email: member.email }).where(eq(members.id, id))
    }
    await syncSale(world.deps, sale.id)
    const [owned] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, given.id))
    expect([owned?.memberId, (await world.order())?.memberId]).toEqual([member.id, member.id])
  },
)

test('two parts that are given back at once count both, whichever is read last', async () => {
  await using world = await payer()
  const { paypal } = world.deps
  const [isRead, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  paypal.readRefund = async () => {
    isRead.resolve()
    await mayGoOn.promise
    return refundOf(world.sale, 'R1')
  }
  const slow = syncPaypalRefund(world.deps, 'R1')
  await isRead.promise
  paypal.readRefund = async () => refundOf(world.sale, 'R2')
  await syncPaypalRefund(world.deps, 'R2')
  mayGoOn.resolve()
  await slow
  await syncPaypalRefund(world.deps, 'R2')
  expect(await world.order()).toMatchObject({ refundedAmount: 2000, refundedAt: at(2) })
})

test('a refund that fails later gives nothing back', async () => {
  await using world = await payer()
  world.deps.paypal.readRefund = async (id) => refundOf(world.sale, id)
  for (const id of ['R1', 'R2']) await syncPaypalRefund(world.deps, id)
  expect(await world.order()).toMatchObject({ refundedAmount: 2000 })
  world.deps.paypal.readRefund = async (id) => ({ ...refundOf(world.sale, id), isFailed: true })
  await syncPaypalRefund(world.deps, 'R1')
  expect(await world.order()).toMatchObject({ refundedAmount: 1000 })
})

test('of two readings of one refund, the later counts', async () => {
  await using world = await payer()
  const { paypal } = world.deps
  const [isRead, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  paypal.readRefund = async (id) => {
    isRead.resolve()
    await mayGoOn.promise
    return refundOf(world.sale, id)
  }
  const slow = syncPaypalRefund(world.deps, 'R1')
  await isRead.promise
  paypal.readRefund = async (id) => ({ ...refundOf(world.sale, id), isFailed: true })
  await syncPaypalRefund(world.deps, 'R1')
  mayGoOn.resolve()
  await slow
  expect(await world.order()).toMatchObject({ refundedAmount: 0, refundedAt: null })
})

test('a payment that PayPal takes back is given back wholly; one that never came is no order to give back', async () => {
  await using world = await payer()
  await syncSale(world.deps, world.sale.id)
  world.deps.paypal.readSale = async () => ({ ...world.sale, isFailed: true, refundedAt: at(2) })
  await syncSale(world.deps, world.sale.id)
  expect(await world.order()).toMatchObject({ status: 'CO', refundedAmount: 3000, refundedAt: at(2) })

  await using other = await payer()
  other.deps.paypal.readSale = async () => ({ ...other.sale, isFailed: true, refundedAt: at(2) })
  await syncSale(other.deps, other.sale.id)
  expect(await other.order()).toMatchObject({ status: 'CL', refundedAmount: 0 })
})

test('a refund of a payment from years ago makes no new invoice of ours', async () => {
  await using world = await payer()
  world.deps.paypal.readSale = async () => ({ ...world.sale, paidAt: new Date('2024-06-01') })
  world.deps.paypal.readRefund = async (id) => refundOf(world.sale, id)
  await syncPaypalRefund(world.deps, 'R1')
  expect(await world.order()).toMatchObject({ origin: 'imported', invoiceNumber: world.sale.id, refundedAmount: 1000 })
})

test('a payment of another sum than the plan and the seats of now cost does not name them', async () => {
  await using world = await payer()
  world.deps.paypal.readSubscription = async () => ({ ...world.given, planId: 'P-B', planName: 'Plan B', quantity: 25 })
  await syncSale(world.deps, world.sale.id)
  expect((await world.order())?.lines).toEqual([{ text: `PayPal ${world.given.id}`, productCode: '', amount: 3000 }])
})
