import type Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardTransfer } from '../../test/card-transfer.ts'
import { newSubscription } from '../../test/factories.ts'
import { paypalVendor } from '../../test/paypal.ts'
import { planAhead } from '../../test/planned-change.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'

const sandbox = await sandboxOfFile()

async function people() {
  const world = await cardTransfer(sandbox)
  // What it is beside stays as it is: there is always something to transfer.
  const other = await world.buy({ quantity: 1 })
  const id = await world.buy()
  const [item] = (await sandbox.stripe.subscriptions.retrieve(id)).items.data
  if (!item) throw new Error('it has no item')
  return { ...world, id, other, item: item.id }
}

type World = Awaited<ReturnType<typeof people>>

const { subscriptions } = sandbox.stripe
const items = (values: Stripe.SubscriptionUpdateParams.Item) => ({
  items: [values],
  proration_behavior: 'none' as const,
})

/** What a vendor does at the card provider, of which nothing is told here. */
const changes = {
  'it ends': ({ id }: World) => subscriptions.cancel(id),
  'more seats': ({ id, item }: World) => subscriptions.update(id, items({ id: item, quantity: 8 })),
  'another product': async ({ id, item, business }: World) => {
    const { data } = await sandbox.stripe.prices.list({ lookup_keys: [`${business.code.toLowerCase()}-monthly-usd`] })
    await subscriptions.update(id, items({ id: item, price: data[0]?.id ?? '' }))
  },
  'no renewal': ({ id }: World) => subscriptions.update(id, { cancel_at_period_end: true }),
  'a change planned': ({ id }: World) => planAhead(sandbox, id, { quantity: 9 }),
}

/** As it is at the provider, and what was planned for it. */
async function held(id: string) {
  const { status, items: all, cancel_at_period_end: isEnding, schedule } = await subscriptions.retrieve(id)
  return { status, items: all.data.map(({ price, quantity }) => [price.id, quantity]), isEnding, schedule }
}

test.each(Object.entries(changes))(
  '%s at the card provider since the codes were sent, and nobody has told us: nothing moves',
  async (_what, change) => {
    await using world = await people()
    const { buyer, recipient, id, other } = world
    const codes = await world.codesFor(buyer, recipient)
    await change(world)
    const before = await Promise.all([held(id), held(other)])

    const { status, body } = await world.use(buyer, recipient.email, codes)
    expect([status, body.code]).toEqual([409, 'transfer_changed'])
    expect(await Promise.all([held(id), held(other)])).toEqual(before)
    expect(await world.begun()).toEqual([])
    for (const one of [id, other]) expect((await world.stored(one)).memberId).toBe(buyer.id)
  },
)

test('the codes’ emails say what the provider has, though nobody has told us; what they say moves', async () => {
  await using world = await people()
  const { buyer, recipient, id, item } = world
  await subscriptions.update(id, items({ id: item, quantity: 8 }))
  const codes = await world.codesFor(buyer, recipient)
  for (const { email } of [buyer, recipient]) expect(world.emailsTo(email).at(-1).text).toContain('8 seats')
  expect((await world.use(buyer, recipient.email, codes)).status).toBe(200)
  expect(await world.stored(id)).toMatchObject({ memberId: recipient.id, userCount: 8 })
  const quantities = (await world.begun()).map((one) => one.items.data[0]?.quantity)
  expect(quantities.toSorted()).toEqual([1, 8])
})

test('each that a provider bills is read once, with the codes and with the transfer, before anything moves', async () => {
  await using world = await people()
  const { buyer, recipient, id, other } = world
  const read = vi.spyOn(world.deps.cards, 'readSubscription')
  const asked = () => read.mock.calls.map(([one]) => one).toSorted()
  const codes = await world.codesFor(buyer, recipient)
  expect(asked()).toEqual([id, other].toSorted())
  read.mockClear()
  vi.spyOn(world.deps.cards, 'endMoved').mockImplementationOnce(async () => {
    expect(asked()).toEqual([id, other].toSorted())
    throw new ProviderFailure('unknown', new Error('the rest is not looked at'))
  })
  expect((await world.use(buyer, recipient.email, codes)).status).toBe(200)
})

test('the card provider is away: neither codes nor a transfer, and the same codes do once it is back', async () => {
  await using world = await people()
  const { buyer, recipient, id } = world
  const away = { status: 503, body: { code: 'payment_provider_unavailable' } }
  await sandbox.misbehave({ kind: 'rate_limit', pattern: '/subscriptions/*', times: 100 })
  expect(await world.send(buyer, recipient.email)).toMatchObject(away)
  expect(world.emailsTo(recipient.email)).toEqual([])
  await sandbox.behave()

  const codes = await world.codesFor(buyer, recipient)
  await sandbox.misbehave({ kind: 'rate_limit', pattern: '/subscriptions/*', times: 100 })
  expect(await world.use(buyer, recipient.email, codes)).toMatchObject(away)
  expect((await world.stored(id)).memberId).toBe(buyer.id)
  await sandbox.behave()
  expect((await world.use(buyer, recipient.email, codes)).status).toBe(200)
})

async function paypalPeople() {
  const world = await paypalVendor(sandbox)
  const recipient = await world.member()
  const [id, other] = [await world.buy(), await world.buy()]
  for (const one of [id, other]) await world.sync(one)
  return { ...world, ...transfersIn(world), recipient, id, other }
}

test('canceled and given back at PayPal since the codes were sent, and nobody has told us: nothing moves', async () => {
  await using world = await paypalPeople()
  const { buyer, recipient, id, other } = world
  const codes = await world.codesFor(buyer, recipient)
  await world.control('POST', `subscriptions/${id}/cancel/`, { by: 'merchant' })
  for (const sale of await world.sales(id)) await world.refund(sale)
  const { status, body } = await world.use(buyer, recipient.email, codes)
  expect([status, body.code]).toEqual([409, 'transfer_changed'])
  for (const one of [id, other]) expect((await world.stored(one)).memberId).toBe(buyer.id)
  expect((await world.call('GET', `/v1/billing/subscriptions/${other}`)).status).toBe('ACTIVE')
})

test('PayPal is away: nothing moves', async () => {
  await using world = await paypalPeople()
  const { buyer, recipient, id } = world
  const codes = await world.codesFor(buyer, recipient)
  const read = vi.spyOn(world.deps.paypal, 'readSubscription')
  read.mockRejectedValue(new ProviderFailure('unavailable', new Error('away')))
  const away = { status: 503, body: { code: 'payment_provider_unavailable' } }
  expect(await world.use(buyer, recipient.email, codes)).toMatchObject(away)
  expect((await world.stored(id)).memberId).toBe(buyer.id)
  read.mockRestore()
  expect((await world.use(buyer, recipient.email, codes)).status).toBe(200)
})

test.each(['missing', 'invalid'] as const)(
  'the number that a file gave one, which PayPal answers as %s, holds nothing up',
  async (kind) => {
    await using world = await paypalPeople()
    const { buyer, recipient } = world
    const { id } = await newSubscription(world, buyer, { channel: 'paypal' })
    const { readSubscription } = world.deps.paypal
    vi.spyOn(world.deps.paypal, 'readSubscription').mockImplementation((one) =>
      one === id ? Promise.reject(new ProviderFailure(kind, new Error('no such id'))) : readSubscription(one),
    )
    expect((await world.transfer(buyer, recipient)).status).toBe(200)
    expect((await world.stored(id)).memberId).toBe(recipient.id)
  },
)
