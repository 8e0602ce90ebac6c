import { subscriptionCancel, subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import { expect, test } from 'vitest'
import { paypalVendor } from '../../test/paypal.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'

const sandbox = await sandboxOfFile()

async function paypalPeople() {
  const world = await paypalVendor(sandbox)
  const recipient = await world.member()
  const id = await world.buy()
  await world.sync(id)
  const state = async () => (await world.call('GET', `/v1/billing/subscriptions/${id}`)).status
  return { ...world, ...transfersIn(world), recipient, id, state }
}

test('PayPal’s is suspended and ends with the paid time; what PayPal does with it later changes nothing', async () => {
  await using world = await paypalPeople()
  const { buyer, recipient, id } = world
  const before = await world.stored(id)
  expect((await world.transfer(buyer, recipient)).status).toBe(200)
  expect(await world.state()).toBe('SUSPENDED')
  const row = await world.stored(id)
  expect(row).toMatchObject({ memberId: recipient.id, autoRenew: false, providerId: null, status: 'active' })
  expect([row.cancelAt, row.endedAt]).toEqual([before.periodEnd, before.periodEnd])
  expect(world.emailsTo(recipient.email)[0].text).toContain('You won’t be charged for it.')

  await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'no more' })
  await world.sync(id)
  expect(await world.stored(id)).toEqual(row)
  expect(await world.listed()).toEqual([])
})

test('once the paid time has ended, the old Owner’s is canceled at PayPal', async () => {
  await using world = await paypalPeople()
  const { buyer, recipient, id } = world
  expect((await world.transfer(buyer, recipient)).status).toBe(200)
  const end = (await world.stored(id)).endedAt?.getTime() ?? 0
  await world.hourlyJobsAt(new Date(end - 1000))
  expect(await world.state()).toBe('SUSPENDED')
  await world.hourlyJobsAt(new Date(end + 1000))
  expect(await world.state()).toBe('CANCELLED')
})

test('PayPal cannot be reached: it is suspended as soon as it can, once', async () => {
  await using world = await paypalPeople()
  const { buyer, recipient } = world
  const codes = await world.codesFor(buyer, recipient)
  const { suspendSubscription } = world.deps.paypal
  let tries = 0
  world.deps.paypal.suspendSubscription = async (asked) => {
    tries += 1
    if (tries === 1) throw new Error('the process is gone')
    return suspendSubscription(asked)
  }
  expect((await world.use(buyer, recipient.email, codes)).status).toBe(200)
  expect(await world.state()).toBe('ACTIVE')
  for (let round = 0; round < 3; round += 1) await world.reconcileAfter(60)
  expect([await world.state(), tries]).toEqual(['SUSPENDED', 2])
})

test.each(['renewing', 'turned off'])(
  'PayPal’s (%s) is resumed with a card at the same price; PayPal’s own is then canceled',
  async (before) => {
    await using world = await paypalPeople()
    const { buyer, recipient, id, productCode, db, deps } = world
    await world.sellByCard()
    if (before === 'turned off') {
      expect((await world.as(buyer).send(subscriptionCancel, { body: { sid: id, reasons: [1] } })).status).toBe(200)
    }
    expect((await world.transfer(buyer, recipient)).status).toBe(200)
    const { periodEnd, endedAt } = await world.stored(id)
    expect(endedAt).toBeNull()
    const resume = async () =>
      world.as({ cookie: await world.session(recipient.id) }).send(subscriptionRenew, { body: { sid: id } })
    expect(await resume()).toMatchObject({ status: 409, body: { code: 'card_required' } })

    const { stripe } = sandbox
    const { id: customer } = await stripe.customers.create({ email: recipient.email })
    await db
      .insert(providerCustomers)
      .values({ proof: 'ours', isMain: true, memberId: recipient.id, customerId: customer, createdAt: deps.clock() })
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })
    expect(await resume()).toMatchObject({ status: 200, body: { autoRenewal: 1, price: 3000 } })
    const [begun] = (await stripe.subscriptions.list({ customer })).data
    expect(begun?.items.data).toMatchObject([
      { quantity: 3, price: { lookup_key: `${productCode.toLowerCase()}-monthly-usd` } },
    ])
    const row = await world.stored(id)
    expect(row).toMatchObject({ channel: 'card', providerId: begun?.id, autoRenew: true, price: 3000, userCount: 3 })
    expect(begun?.billing_cycle_anchor).toBe(Math.floor((periodEnd?.getTime() ?? 0) / 1000))

    await world.hourlyJobsAt(deps.clock())
    expect(await world.state()).toBe('CANCELLED')
    expect(await world.stored(id)).toEqual(row)
  },
)

test('a price that the card provider does not have: PayPal’s ends for good', async () => {
  await using world = await paypalPeople()
  const { buyer, recipient, id } = world
  expect((await world.transfer(buyer, recipient)).body).toMatchObject({ moved: [{ fate: 'ends' }] })
  const cookie = await world.session(recipient.id)
  const answer = await world.as({ cookie }).send(subscriptionRenew, { body: { sid: id } })
  expect(answer).toMatchObject({ status: 409, body: { code: 'not_resumable' } })
})

test('a suspension that PayPal has not made is tried again', async () => {
  await using world = await paypalPeople()
  const { buyer, recipient } = world
  const { suspendSubscription } = world.deps.paypal
  world.deps.paypal.suspendSubscription = async () => {
    world.deps.paypal.suspendSubscription = suspendSubscription
  }
  expect((await world.transfer(buyer, recipient)).status).toBe(200)
  expect(await world.state()).toBe('ACTIVE')
  for (let round = 0; round < 3; round += 1) await world.reconcileAfter(60)
  expect(await world.state()).toBe('SUSPENDED')
})
