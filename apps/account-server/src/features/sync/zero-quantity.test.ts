import { subscriptionCancel } from '@atrium/contract/auto-renewal.ts'
import { listLicenses } from '@atrium/contract/licenses.ts'
import { listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import { changePayingCard } from '@atrium/contract/paying-cards.ts'
import { changePlanFrom } from '@atrium/contract/plan-changes.ts'
import { listMyProducts } from '@atrium/contract/products.ts'
import { addSubscriptionUsers } from '@atrium/contract/team.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardTransfer } from '../../test/card-transfer.ts'
import { newSeat } from '../../test/factories.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { isRenewing, isResumable } from '../subscriptions/auto-renewal/auto-renewal.rules.ts'
import { syncSubscriptions } from '../subscriptions/subscriptions.sync.ts'

const sandbox = await sandboxOfFile()

/** An Owner of three seats, one of them a colleague's, whose quantity the vendor changes at the card provider. */
async function soldWorld() {
  const world = await cardTransfer(sandbox)
  const id = await world.buy()
  const colleague = await world.member()
  await newSeat(world, id, { memberId: colleague.id, email: colleague.email })
  const { stripe } = sandbox
  return {
    ...world,
    ...{ id, colleague },
    async setQuantity(quantity: number) {
      const item = (await stripe.subscriptions.retrieve(id)).items.data[0]
      await stripe.subscriptions.update(id, { items: [{ id: item?.id ?? '', quantity }], proration_behavior: 'none' })
      await world.sync(id)
    },
    waiting: () => world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, id)),
    checked: async () => (await world.as(world.buyer).send(listPaymentsBeingChecked, {})).body.list,
  }
}

test('set to none later, it gives no seats and no access, the operator sees why, and it comes back with its quantity', async () => {
  await using world = await soldWorld()
  const { id, buyer } = world
  const emails = () => world.emailsTo(buyer.email).length
  const before = emails()
  await world.setQuantity(0)
  expect(await world.listed()).toMatchObject([
    { stripeSubscriptionId: id, userCount: 0, stripeSubscriptionStatus: 'pending', isExpiring: 0, manageBy: 'none' },
  ])
  expect(await world.waiting()).toMatchObject([
    { reason: 'impossible_amount', memberId: buyer.id, isProven: true, kind: 'subscription' },
  ])
  expect(await world.checked()).toHaveLength(1)

  await world.setQuantity(1)
  expect(await world.listed()).toMatchObject([{ userCount: 1, stripeSubscriptionStatus: 'active', autoRenewal: 1 }])
  expect([await world.waiting(), await world.checked()]).toEqual([[], []])

  await world.setQuantity(0)
  await world.setQuantity(3)
  expect(await world.listed()).toMatchObject([{ userCount: 3, joinCount: 2, stripeSubscriptionStatus: 'active' }])
  // Of nothing that happened meanwhile an email would have been true, but of the quantity that it came back with.
  expect(emails()).toBe(before)
})

test('as long as it has none, every page is right, and nothing of it can be changed, turned off or transferred', async () => {
  await using world = await soldWorld()
  const { id, buyer, colleague, recipient } = world
  const addUser = () =>
    world.as(buyer).send(addSubscriptionUsers, {
      params: { sid: id },
      body: { ...{ orgCode: '', lang: 'en-us', setupType: 'member', type: false }, emailList: ['new@example.test'] },
    })
  await world.setQuantity(0)

  for (const member of [buyer, colleague]) {
    const { list } = (await world.as(member).send(listMyProducts, { query: {} })).body
    const items = list.flatMap((group) => group.subInfo).filter((one) => one.stripeSubscriptionId === id)
    expect(items).toMatchObject([{ stripeSubscriptionStatus: 'pending', showTimeType: '' }])
    const { licenses } = (await world.as(member).send(listLicenses, { query: {} })).body
    const statuses = Object.values(licenses).flatMap(({ list: own }) => own.map(({ status }) => status))
    expect(statuses.filter((status) => status === 'valid')).toEqual([])
  }
  const asked = { sid: id, lang: 'en-us', type: 'buy-more', increasingNumber: 1 } as const
  expect((await world.as(buyer).send(changePlanFrom, { body: asked })).body.code).toBe('change_not_possible')
  expect(await world.check(buyer)).toMatchObject({ canTransfer: 0, obstacle: 'pending' })
  expect((await world.send(buyer, recipient.email)).body.code).toBe('transfer_not_possible')
  expect((await addUser()).status).toBe(409)

  const cookie = await world.session(buyer.id)
  const off = await world.as({ cookie }).send(subscriptionCancel, { body: { sid: id, reasons: [1] } })
  expect([off.status, off.body.code]).toEqual([409, 'not_renewing'])
  await world.setQuantity(3)
  expect(await world.listed()).toMatchObject([{ userCount: 3, stripeSubscriptionStatus: 'active', autoRenewal: 1 }])
})

test('its row offers nothing that is refused, and another card pays for it if that is asked', async () => {
  await using world = await soldWorld()
  const { id, buyer, cardId } = world
  await world.setQuantity(0)
  const [row] = await world.listed()
  if (!row) throw new Error('not listed')
  // Auto-renewal has a switch only where this says so.
  expect([isRenewing(row), isResumable(row), row.beginsAt]).toEqual([false, false, undefined])
  expect(row).toMatchObject({
    ...{ subscriptionUpgrade: 0, purchaseAdditionalSubscription: 0, switchToAnnualBilling: 0, manualRenew: 0 },
    ...{ isSupportBuyConnector: 0, isNeedBindPooling: 0, paypalRenewConfirm: 0, stripeSdkUrl: '', manageBy: 'none' },
  })
  expect([row.openChange, row.nextPlan, row.dueOrders, row.dueAmount]).toEqual(Array(4).fill(undefined))

  const cookie = await world.session(buyer.id)
  const body = { paymentMethodId: cardId }
  const paid = await world.as({ cookie }).send(changePayingCard, { params: { sid: id }, body })
  expect(paid).toMatchObject({ status: 200, body: { stripeSubscriptionStatus: 'pending', paymentMethodId: cardId } })
})

test('a take-over says that it is not granted, and goes on', async () => {
  await using world = await soldWorld()
  const { id } = world
  await world.setQuantity(0)
  expect(await world.listed()).toMatchObject([{ userCount: 0, stripeSubscriptionStatus: 'pending' }])
  const lines: string[] = []
  const { db, clock, logger, jobs, config, cards } = world.deps
  const counts = await syncSubscriptions({ db, clock, logger, jobs, config, cards, say: (line) => lines.push(line) })
  expect(lines).toContain(`${id}: its quantity is not one that can be sold: not granted`)
  expect(counts.unmatched).toBeGreaterThan(0)
})
