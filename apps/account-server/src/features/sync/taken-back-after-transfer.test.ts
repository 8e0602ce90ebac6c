import { subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import { and, asc, eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { lockMember } from '../../db/members.queries.ts'
import { paypalVendor } from '../../test/paypal.ts'
import { approve, comeBack, halfway, order, twoMore } from '../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import { untilWaiting } from '../../test/waiting.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { transfers } from '../transfers/transfers.tables.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

const upgrade = { type: 'switch-to-business-billing' } as const

async function people() {
  const world = await paypalVendor(sandbox)
  const recipient = await world.member()
  const id = await world.buy()
  await world.sync(id)
  // The provider's clock goes on: what was paid is from before what follows.
  world.at(new Date(Date.now() + 60_000))
  const [sale = ''] = await world.sales(id)
  const caller = async () => world.as({ cookie: await world.session(recipient.id) })
  return {
    ...world,
    ...transfersIn(world),
    ...{ recipient, id, sale },
    resume: async () => (await caller()).send(subscriptionRenew, { body: { sid: id } }),
    /** The recipient puts a card on file. */
    async addCard() {
      const { stripe } = sandbox
      const { id: customerId } = await stripe.customers.create({ email: recipient.email })
      const link = { memberId: recipient.id, customerId, createdAt: world.deps.clock() }
      await world.db.insert(providerCustomers).values({ proof: 'ours', isMain: true, ...link })
      const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer: customerId })
      await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: card } })
      return customerId
    },
    lines: () => unmatchedLines(world.db, 'paypal'),
  }
}

test('what was paid at PayPal and is given back wholly after a transfer ends for the new Owner', async () => {
  await using world = await people()
  const { buyer, recipient, id, sale } = world
  await world.sellByCard()
  expect((await world.transfer(buyer, recipient)).status).toBe(200)
  await world.addCard()
  await world.told('refund', await world.refund(sale, '4.00'))
  expect(await world.stored(id)).toMatchObject({ status: 'active' })

  const refund = await world.refund(sale)
  await world.told('refund', refund)
  const now = world.deps.clock()
  const ended = await world.stored(id)
  expect(ended).toMatchObject({ memberId: recipient.id, status: 'canceled', endedAt: now, autoRenew: false })
  expect(world.emailsTo(recipient.email).at(-1).subject).toMatch(/ended/)
  expect(await world.resume()).toMatchObject({ status: 409, body: { code: 'not_resumable' } })
  // Said again, it changes nothing; nor does what is read at PayPal later.
  await world.told('refund', refund)
  await world.sync(id)
  expect(await world.stored(id)).toEqual(ended)
  expect(await world.lines()).toEqual([])
})

test('the same while a card of the new Owner waits to go on with it: the operator is told, and can leave it', async () => {
  await using world = await people()
  const { buyer, recipient, id, sale } = world
  await world.sellByCard()
  expect((await world.transfer(buyer, recipient)).status).toBe(200)
  await world.addCard()
  expect((await world.resume()).status).toBe(200)
  const row = await world.stored(id)
  const logged = vi.spyOn(world.deps.logger, 'error')
  await world.told('refund', await world.refund(sale))
  expect(await world.stored(id)).toEqual(row)
  const lines = await world.lines()
  expect(lines).toEqual([
    expect.stringContaining('was given or taken back, and an Owner since has paid for it, or a card'),
  ])
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ subscriptionId: id, objectId: id }),
    expect.stringContaining('a card goes on with it'),
  )
  const [line = ''] = lines[0]?.split(' ') ?? []
  await acceptUnmatched(world.db, { id: line, provider: 'paypal', now: world.deps.clock() })
  await world.sync(id)
  expect(await world.lines()).toEqual([])
})

test('the same after a second transfer, though a card of the one between has gone on with it', async () => {
  await using world = await people()
  const { buyer, recipient, id, sale } = world
  await world.sellByCard()
  expect((await world.transfer(buyer, recipient)).status).toBe(200)
  await world.addCard()
  expect((await world.resume()).status).toBe(200)
  const { paidBy } = await world.stored(id)
  expect(paidBy).toBe(sale)
  const third = await world.member()
  // Nobody transfers twice in 30 days.
  await world.db.delete(transfers).where(eq(transfers.recipientId, recipient.id))
  expect((await world.transfer(recipient, third)).status).toBe(200)
  await world.told('refund', await world.refund(sale))
  expect(await world.stored(id)).toMatchObject({ memberId: third.id, status: 'canceled', autoRenew: false })
})

test('a refund that waits for the transfer ends the time that has moved', async () => {
  await using world = await people()
  const { buyer, recipient, id, sale } = world
  const codes = await world.codesFor(buyer, recipient)
  const { readSubscription } = world.deps.paypal
  const refunding = Promise.withResolvers<void>()
  const [moving, refunded] = await world.db
    .transaction(async (tx) => {
      await lockMember(tx, recipient)
      const transfer = world.use(buyer, recipient.email, codes)
      await untilWaiting(world, 1)
      const refund = await world.refund(sale)
      vi.spyOn(world.deps.paypal, 'readSubscription').mockImplementation(async (asked) => {
        const given = await readSubscription(asked)
        refunding.resolve()
        return given
      })
      const applied = world.told('refund', refund)
      await refunding.promise
      return [transfer.then((reply) => reply), applied.then(() => true)] as const
    })
    .then(([first, second]) => Promise.all([first, second]))
  expect(refunded).toBe(true)
  const row = await world.stored(id)
  // Whichever came first: the time is over for whoever has it.
  if (moving.status === 200) expect(row).toMatchObject({ memberId: recipient.id, status: 'canceled' })
  else expect(row).toMatchObject({ memberId: buyer.id, status: 'pending' })
})

/** Two more seats, an upgrade, or both, are paid by orders in the middle of the month, and then all of it moves. */
async function boughtAndMoved(...changes: Parameters<typeof order>[2][]) {
  const { world, id } = await halfway(sandbox)
  const recipient = await world.member()
  let confirmLink = ''
  for (const asked of changes) {
    await approve(world, (await order(world, id, asked)).body.approveUrl)
    confirmLink = (await comeBack(world, id)).body.approveLink
  }
  // Nothing moves while PayPal waits for the confirmation of what it bills next.
  await approve(world, confirmLink)
  await world.sync(id)
  const { kind, memberId, createdAt } = providerOperations
  const isOrdered = and(eq(kind, 'subscription.change_by_order'), eq(memberId, world.buyer.id))
  const [made] = await world.db.select().from(providerOperations).where(isOrdered).orderBy(asc(createdAt))
  const { captureId } = z.object({ captureId: z.string() }).parse(made?.result)
  const transferring = transfersIn(world)
  const buyer = { ...world.buyer, cookie: await world.session(world.buyer.id) }
  expect((await transferring.transfer(buyer, recipient)).status).toBe(200)
  return {
    ...{ world, id, recipient, captureId, ...transferring },
    /** Of the first order. */
    async refund(value?: string) {
      const body = value === undefined ? {} : { amount: { value, currency_code: 'USD' } }
      const refunded = await world.call('POST', `/v2/payments/captures/${captureId}/refund`, body)
      for (let time = 0; time < 2; time += 1) await world.told('capture_refund', String(refunded.id))
      return String(refunded.id)
    },
    /** PayPal could not give it back, after all. */
    async failRefund(refundId: string) {
      const { readOrder, readCaptureRefund } = world.deps.paypal
      vi.spyOn(world.deps.paypal, 'readOrder').mockImplementation(async (orderId) => {
        const found = await readOrder(orderId)
        return { ...found, capture: found.capture && { ...found.capture, refundedAt: null } }
      })
      const failing = vi.spyOn(world.deps.paypal, 'readCaptureRefund')
      failing.mockImplementation(async (asked) => ({ ...(await readCaptureRefund(asked)), isFailed: true }))
      await world.told('capture_refund', refundId)
    },
  }
}

test('seats of an order that is given back wholly after a transfer are gone for the new Owner', async () => {
  const { world, id, recipient, stored, refund } = await boughtAndMoved(twoMore)
  await using _world = world
  const moved = await stored(id)
  expect(moved).toMatchObject({ memberId: recipient.id, userCount: 5, price: 5000, status: 'active' })
  await refund('1.00')
  expect(await stored(id)).toEqual(moved)
  await refund()
  const { endedAt, cancelAt } = moved
  expect(await stored(id)).toMatchObject({ userCount: 3, price: 3000, status: 'active', endedAt, cancelAt })
})

test('an upgrade by an order that is given back wholly after a transfer is undone for the new Owner', async () => {
  const { world, id, recipient, stored, refund } = await boughtAndMoved(upgrade)
  await using _world = world
  const { productCode, endedAt, cancelAt } = await stored(id)
  expect(productCode).toBe(world.suiteCode)
  await refund()
  const now = { memberId: recipient.id, productCode: world.productCode, userCount: 3, price: 3000, status: 'active' }
  expect(await stored(id)).toMatchObject({ ...now, endedAt, cancelAt })
})

test('of several orders those that are kept stay with the new Owner, and what comes back does', async () => {
  const { world, id, recipient, stored, refund, failRefund } = await boughtAndMoved(twoMore, upgrade, twoMore)
  await using _world = world
  const moved = await stored(id)
  expect(moved).toMatchObject({ memberId: recipient.id, productCode: world.suiteCode, userCount: 7, price: 17_500 })
  const refundId = await refund()
  expect(await stored(id)).toMatchObject({ productCode: world.suiteCode, userCount: 5, price: 12_500 })
  await failRefund(refundId)
  expect(await stored(id)).toEqual(moved)
})
