import { answerOffered, declineSubscription, listOffered } from '@atrium/contract/offered-subscriptions.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { newSubscription } from '../../test/factories.ts'
import { freeMonths, paidWeekAndFreeMonth, termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import type { TestMember } from '../../test/world.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'

const sandbox = await sandboxOfFile()

/** A vendor whose plan has a free month that any page can begin, with any quantity. */
async function freeMonthVendor(trials: readonly object[] = [freeMonths(1)]) {
  const world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ trials })
  return {
    ...{ world, planId },
    async row(id: string) {
      return (await world.listed()).find(({ stripeSubscriptionId }) => stripeSubscriptionId === id)
    },
    async tried(quantity = '1') {
      const id = await world.buy({ planId, more: { quantity } })
      await world.sync(id)
      return id
    },
  }
}

const Billing = z.object({ billing_info: z.object({ next_billing_time: z.string() }) })

const day = (time: string | null | undefined) => (time ?? '').slice(0, 10)

test('a second free trial of a product begins at its end, with its first payment', async () => {
  const { world, row, tried } = await freeMonthVendor()
  await using _ = world
  const first = await tried()
  const second = await tried('5000')
  expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: 'trialing' })
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
  const { trialEnd } = (await row(first)) ?? {}
  expect(day((await row(second))?.beginsAt)).toBe(day(trialEnd))

  // In whatever order they are read.
  await world.sync(first)
  await world.sync(second)
  expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: 'trialing' })
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending' })

  await world.daysLater(32, second)
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 5000 })
})

test('a second one after the first was canceled begins with its first payment, too, and grants nothing if that fails', async () => {
  const { world, row, tried } = await freeMonthVendor()
  await using _ = world
  const first = await tried()
  await world.call('POST', `/v1/billing/subscriptions/${first}/cancel`, { reason: 'Test' })
  await world.daysLater(40, first)
  const second = await tried()
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
  await world.fund(second, false)
  await world.daysLater(33, second)
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
})

test.each([
  ['goes on', false],
  ['was canceled', true],
])('one that was over and paid before it was read first, and %s, was a trial', async (_name, isCanceled) => {
  const { world, planId, row, tried } = await freeMonthVendor()
  await using _ = world
  const first = await world.buy({ planId })
  await world.advanceTo(world.inDays(40))
  if (isCanceled) await world.call('POST', `/v1/billing/subscriptions/${first}/cancel`, { reason: 'Test' })
  await world.sync(first)
  expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: 'active' })
  expect(await row(await tried('5000'))).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
})

test('of two that are read at once one is granted', async () => {
  const { world, planId, row } = await freeMonthVendor()
  await using _ = world
  const ids = [await world.buy({ planId }), await world.buy({ planId }), await world.buy({ planId })]
  await Promise.all(ids.map((id) => world.sync(id)))
  const statuses = await Promise.all(ids.map(async (id) => (await row(id))?.stripeSubscriptionStatus))
  expect(statuses.toSorted()).toEqual(['pending', 'pending', 'trialing'])
})

test('a trial of another product is granted', async () => {
  const { world, row, tried } = await freeMonthVendor()
  await using _ = world
  await tried()
  const other = await world.buy({ planId: await world.ownPlan({ trial: freeMonths(1) }) })
  await world.sync(other)
  expect(await row(other)).toMatchObject({ stripeSubscriptionStatus: 'trialing' })
})

test.each(['of all that was tried', 'of a single seat', 'of a cheaper plan'])(
  'a payment %s does not make a trial one that was not had',
  async (paid) => {
    const { world, planId, row, tried } = await freeMonthVendor()
    await using _ = world
    const first = await tried('50')
    await world.daysLater(28, first)
    if (paid === 'of a single seat') await world.revise(first, { plan_id: planId, quantity: '1' })
    if (paid === 'of a cheaper plan') {
      const cheaper = await world.siblingPlan(planId, { value: '1', unit: 'MONTH' })
      await world.revise(first, { plan_id: cheaper, quantity: '1' })
    }
    // Its own trial goes on, revised too.
    await world.sync(first)
    expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: 'trialing', userCount: 50 })
    await world.daysLater(5, first)
    expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: 'active' })

    const second = await tried('50')
    expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
    await world.daysLater(33, second)
    expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
  },
)

test('a trial that a file has brought goes on once it is read at PayPal', async () => {
  const { world, planId, row } = await freeMonthVendor()
  await using _ = world
  const { buyer, productCode } = world
  const id = await world.buy({ planId })
  const ends = { periodEnd: new Date(world.inDays(30)), trialEnd: new Date(world.inDays(30)) }
  await newSubscription(world, buyer, {
    id,
    productCode,
    ...{ status: 'trialing', channel: 'paypal', proof: 'vendor' },
    ...ends,
  })
  for (let reading = 0; reading < 2; reading += 1) await world.sync(id)
  expect(await row(id)).toMatchObject({ stripeSubscriptionStatus: 'trialing' })
})

test('a trial whose payment was given back was had, also while PayPal goes on with it', async () => {
  const { world, row, tried } = await freeMonthVendor()
  await using _ = world
  const first = await tried('50')
  await world.daysLater(33, first)
  const [sale = ''] = await world.sales(first)
  expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: 'active' })
  await world.told('refund', await world.refund(sale))
  await world.sync(first)
  expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: 'pending' })

  const second = await tried('50')
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
  await world.call('POST', `/v1/billing/subscriptions/${first}/cancel`, { reason: 'Test' })
  await world.sync(first)
  await world.daysLater(33, second)
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
})

test('a trial was had while its first payment waits to clear, and if it is denied', async () => {
  const { world, row, tried } = await freeMonthVendor()
  await using _ = world
  const first = await tried()
  await world.control('PUT', `echecks/${first}/`, { paysByEcheck: true })
  await world.daysLater(33, first)
  expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
  const further = { stripeSubscriptionStatus: 'pending', accessEnd: '' }
  expect(await row(await tried())).toMatchObject(further)

  const [held = ''] = await world.sales(first)
  await world.control('POST', `payments/${held}/clear/`, { isCleared: false })
  await world.sync(first)
  expect(await row(await tried())).toMatchObject(further)
})

test('a trial that was paid, transferred and given back then was had by both', async () => {
  const { world, planId, row, tried } = await freeMonthVendor()
  await using _ = world
  const recipient = await world.member()
  const fresh = async (member: TestMember) => ({ ...member, cookie: await world.session(member.id) })
  const first = await tried()
  await world.daysLater(33, first)
  expect((await transfersIn(world).transfer(await fresh(world.buyer), await fresh(recipient))).status).toBe(200)
  await world.reconcileAfter(60)
  const [sale = ''] = await world.sales(first)
  await world.told('refund', await world.refund(sale))
  await world.sync(first)

  expect(await row(await tried())).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
  const again = await world.buy({ planId, customId: world.referenceTo(recipient.id) })
  await world.sync(again)
  expect(await transfersIn(world).stored(again)).toMatchObject({ memberId: recipient.id, status: 'pending' })
})

test('who adds a trial and then says that it is not theirs has had it', async () => {
  const { world, planId, row } = await freeMonthVendor()
  await using _ = world
  const caller = async () => world.as({ cookie: await world.session(world.buyer.id) })
  async function begun() {
    const id = await world.buy({ planId, customId: world.buyer.id })
    await world.sync(id)
    const [offer] = (await (await caller()).send(listOffered, {})).body.list
    return { id, answer: { id: offer?.id ?? '' } }
  }
  async function answered(isMine: boolean) {
    const { id, answer } = await begun()
    expect((await (await caller()).send(answerOffered, { params: answer, body: { isMine } })).status).toBe(200)
    return id
  }
  // What was only offered has not been used: any stranger can type an address.
  await answered(false)
  const first = await answered(true)
  expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: 'trialing' })
  expect((await (await caller()).send(declineSubscription, { params: { sid: first } })).status).toBe(200)
  const second = await answered(true)
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
})

test.each([false, true])(
  'a trial that was transferred was had by both, where a card can continue it: %s',
  async (isSold) => {
    const { world, planId, tried } = await freeMonthVendor()
    await using _ = world
    const { buyer, productCode } = world
    const recipient = await world.member()
    const fresh = async (member: TestMember) => ({ ...member, cookie: await world.session(member.id) })
    if (isSold) {
      const { product_id: productId } = await world.call('GET', `/v1/billing/plans/${planId}`)
      const price = { term: 'monthly', amount: 1000, currency: 'USD', isCurrent: false } as const
      const plan = { id: planId, provider: 'paypal', productCode, productId: String(productId), ...price } as const
      await world.db.insert(providerPrices).values(plan)
      await world.sellByCard()
    }
    const first = await tried()
    const { transfer, stored } = transfersIn(world)
    expect((await transfer(await fresh(buyer), await fresh(recipient))).status).toBe(200)
    expect(await stored(first)).toMatchObject({ memberId: recipient.id, channel: isSold ? 'card' : 'paypal' })

    for (const member of [buyer, recipient]) {
      const id = await world.buy({ planId, customId: world.referenceTo(member.id) })
      await world.sync(id)
      const { list } = (await world.as(await fresh(member)).send(listSubscriptions, { query: {} })).body
      const again = list.find(({ stripeSubscriptionId }) => stripeSubscriptionId === id)
      expect(again).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
    }
  },
)

test('of a further trial the week that is paid is granted, and the free month after it is not', async () => {
  const { world, row, tried } = await freeMonthVendor(paidWeekAndFreeMonth)
  await using _ = world
  const first = await tried('50')
  await world.daysLater(10, first)
  const second = await tried('50')
  const { trialEnd } = (await row(second)) ?? {}
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'trialing', userCount: 50 })
  expect(day(trialEnd)).toBe(day(world.inDays(7)))

  await world.daysLater(9, second)
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
  const { next_billing_time: next } = Billing.parse(
    await world.call('GET', `/v1/billing/subscriptions/${second}`),
  ).billing_info
  expect(day((await row(second))?.beginsAt)).toBe(day(next))
  const third = await tried('50')
  await world.daysLater(9, third)
  expect(await row(third)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })

  await world.daysLater(21, second)
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
  await world.fund(third, false)
  await world.daysLater(12, third)
  // Nothing is retried of what was not there, and its week stays an order.
  expect(await row(third)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
  for (const id of [second, third]) expect(await world.waiting(id)).toEqual([])
})

test('a further trial that is canceled in its free month has ended', async () => {
  const { world, row, tried } = await freeMonthVendor(paidWeekAndFreeMonth)
  await using _ = world
  await tried()
  const second = await tried()
  await world.daysLater(9, second)
  await world.call('POST', `/v1/billing/subscriptions/${second}/cancel`, { reason: 'Test' })
  await world.sync(second)
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'canceled' })
})

test.each(['read', 'read late', 'revised', 'suspended'])(
  'a first trial goes on into its free month while another is begun, also if it is %s',
  async (what) => {
    const { world, planId, row, tried } = await freeMonthVendor(paidWeekAndFreeMonth)
    await using _ = world
    const first = await tried('50')
    const second = await tried('50')
    await world.daysLater(9, second)
    if (what === 'read late') await world.daysLater(20, second)
    if (what === 'revised') await world.revise(first, { plan_id: planId, quantity: '1' })
    await world.sync(first)
    if (what === 'suspended') {
      await world.call('POST', `/v1/billing/subscriptions/${first}/suspend`, { reason: 'Test' })
      await world.sync(first)
    }
    const status = what === 'suspended' ? 'active' : 'trialing'
    const { accessEnd = '' } = (await row(first)) ?? {}
    expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: status })
    expect(accessEnd > world.inDays(5)).toBe(true)
    expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
  },
)

test.each(['late', 'in vain'])('a month of a further trial that PayPal bills %s has its days', async (billed) => {
  const { world, row, tried } = await freeMonthVendor([
    { ...freeMonths(3), pricing_scheme: { fixed_price: { value: '1', currency_code: 'USD' } } },
  ])
  await using _ = world
  const first = await tried()
  await world.call('POST', `/v1/billing/subscriptions/${first}/cancel`, { reason: 'Test' })
  const second = await tried('5')
  const { nextBillingAt } = await world.deps.paypal.readSubscription(second)
  if (billed === 'late') {
    world.at(new Date(Number(nextBillingAt) + 3_600_000))
    await world.sync(second)
  } else {
    await world.fund(second, false)
    await world.daysLater(33, second)
  }
  const status = billed === 'late' ? 'trialing' : 'past_due'
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: status, userCount: 5 })
})
