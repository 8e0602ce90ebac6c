import * as contract from '@atrium/contract/cards.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardsPeople } from '../../test/cards.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { activity } from '../activity/activity.tables.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'

const sandbox = await sandboxOfFile()

const cardsWorld = (settings: NodeJS.ProcessEnv = {}) => cardsPeople(sandbox, settings)

const edit = {
  firstname: 'Ada',
  lastname: 'Lindqvist',
  country: 'US',
  address: '548 Market Street',
  state: 'CA',
  city: 'San Francisco',
  zip: '94104',
}

test('a member who never had a card has an empty list, and no customer at the provider', async () => {
  await using world = await cardsWorld()
  const member = await world.member()

  expect(await world.list(member)).toEqual({ cardList: [], defaultPaymentID: '', hasOtherDefault: 0 })
  expect(await world.db.select().from(providerCustomers).where(eq(providerCustomers.memberId, member.id))).toHaveLength(
    0,
  )
})

test('cards are listed with what is printed on them, the default first', async () => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards(['4242424242424242', '5555555555554444'])
  const { cardList, defaultPaymentID } = await world.list(member)

  expect(cardList.map(({ card }) => card)).toEqual([
    { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 },
    { brand: 'mastercard', last4: '4444', expMonth: 12, expYear: 2034 },
  ])
  expect(defaultPaymentID).toBe(ids[0])
})

test('cards of which none is the default are not said to be charged, unless something else is', async () => {
  await using world = await cardsWorld()
  const { member } = await world.memberWithCards(['4242424242424242'])
  const { cards } = world.deps.cards
  const withDefault = async (defaultId: string) => {
    world.deps.cards.cards = async (customerId) => ({ ...(await cards(customerId)), defaultId })
    return world.list({ ...member, cookie: await world.session(member.id) })
  }

  expect(await withDefault('')).toMatchObject({ defaultPaymentID: '', hasOtherDefault: 0 })
  expect(await withDefault('ba_1')).toMatchObject({ defaultPaymentID: '', hasOtherDefault: 1 })
})

test('a list takes one call to the provider', async () => {
  await using world = await cardsWorld()
  const { member } = await world.memberWithCards(['4242424242424242'])
  let calls = 0
  const { cards } = world.deps.cards
  world.deps.cards.cards = (customerId) => {
    calls += 1
    return cards(customerId)
  }
  await world.list(member)

  expect(calls).toBe(1)
})

test('a card is valid to the end of its month, in every time zone', async () => {
  await using world = await cardsWorld()
  const { member } = await world.memberWithCards(['4242424242424242'])
  const isExpired = async (at: string) => {
    world.at(at)
    return (await world.list({ ...member, cookie: await world.session(member.id) })).cardList[0]?.isExpired
  }

  expect(await isExpired('2034-12-31T23:59:00Z')).toBe(false)
  expect(await isExpired('2035-01-01T11:59:00Z')).toBe(false)
  expect(await isExpired('2035-01-01T12:00:00Z')).toBe(true)
})

test('the edit dialog offers countries, the states of the US, and the profile’s name for a card without one', async () => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards(['4242424242424242'])
  const { body } = await world
    .as(member)
    .send(contract.readCard, { params: { paymentMethodId: ids[0] ?? '' }, query: { lang: 'de-de' } })

  expect(body.detail.metadata).toEqual({ firstName: 'Ada', lastName: 'Lindqvist' })
  expect(body.detail.countryList.find(({ code }) => code === 'JP')?.name).toBe('Japan')
  expect(body.detail.usaStateList).toHaveLength(new Set(body.detail.usaStateList.map(({ code }) => code)).size)
  expect(body.detail.usaStateList.find(({ code }) => code === 'CA')?.name).toBe('California')
})

test('an edit is stored at the provider, and shown immediately', async () => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards(['4242424242424242'])
  const id = ids[0] ?? ''
  const { status, body } = await world
    .as(member)
    .send(contract.updateCard, { params: { paymentMethodId: id }, body: edit })

  expect(status).toBe(200)
  expect(body.cardList[0]).toMatchObject({
    metadata: { firstName: 'Ada', lastName: 'Lindqvist' },
    billingDetails: {
      address: { line1: '548 Market Street', city: 'San Francisco', state: 'CA', country: 'US', postalCode: '94104' },
    },
  })
  expect(await world.list(member)).toEqual(body)
  expect((await sandbox.stripe.paymentMethods.retrieve(id)).billing_details.name).toBe('Ada Lindqvist')
  expect(await world.actions(member)).toEqual(['card.added', 'card.updated'])
})

test.each([
  [{ country: '' }, 'body.country', 'purchase_location_required'],
  [{ country: 'XX' }, 'body.country', 'purchase_location_required'],
  [{ city: ' ' }, 'body.city', 'city_required'],
  [{ zip: '' }, 'body.zip', 'zip_required'],
  [{ state: '' }, 'body.state', 'state_required'],
  [{ state: 'Bavaria' }, 'body.state', 'state_required'],
  [{ firstname: 'x'.repeat(33) }, 'body.firstname', 'too_long'],
])('an edit with %j is refused at its field', async (change, path, code) => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards(['4242424242424242'])
  const { status, body } = await world
    .as(member)
    .send(contract.updateCard, { params: { paymentMethodId: ids[0] ?? '' }, body: { ...edit, ...change } })

  expect(status).toBe(422)
  expect(body.errors?.map((error) => [error.path, error.code])).toContainEqual([path, code])
})

test('outside the US a card has no state', async () => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards(['4242424242424242'])
  const { body } = await world
    .as(member)
    .send(contract.updateCard, { params: { paymentMethodId: ids[0] ?? '' }, body: { ...edit, country: 'DE' } })

  expect(body.cardList[0]?.billingDetails.address).toMatchObject({ country: 'DE', state: '' })
})

test('another card becomes the default; the default cannot be removed, the other one can', async () => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards(['4242424242424242', '5555555555554444'])
  const [first = '', second = ''] = ids
  const made = await world.as(member).send(contract.setDefaultCard, { params: { paymentMethodId: second } })
  const refused = await world.as(member).send(contract.removeCard, { query: {}, params: { paymentMethodId: second } })
  const removed = await world.as(member).send(contract.removeCard, { query: {}, params: { paymentMethodId: first } })

  expect([made.body.defaultPaymentID, made.body.cardList[0]?.id]).toEqual([second, second])
  expect([refused.status, refused.body.code, refused.body.data]).toEqual([409, 'default_required', made.body])
  expect(removed.body.cardList.map(({ id }) => id)).toEqual([second])
  expect(await world.list(member)).toEqual(removed.body)
  expect((await sandbox.stripe.paymentMethods.retrieve(first)).customer).toBeNull()
  expect(await world.actions(member)).toEqual(['card.added', 'card.added', 'card.default_set', 'card.removed'])
})

test('making the default one the default changes nothing', async () => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards(['4242424242424242'])
  const { status } = await world.as(member).send(contract.setDefaultCard, { params: { paymentMethodId: ids[0] ?? '' } })

  expect(status).toBe(200)
  expect(await world.actions(member)).toEqual(['card.added'])
})

test.each([1, 2, 3])('a card is made the default or removed, never both (%i)', async () => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards(['4242424242424242', '5555555555554444'])
  const params = { paymentMethodId: ids[1] ?? '' }
  const [made, removed] = await Promise.all([
    world.as(member).send(contract.setDefaultCard, { params }),
    world.as(member).send(contract.removeCard, { query: {}, params }),
  ])
  const { cardList, defaultPaymentID } = await world.list(member)

  expect([
    [200, 409],
    [404, 200],
  ]).toContainEqual([made.status, removed.status])
  expect(cardList.map(({ id }) => id)).toContain(defaultPaymentID)
  expect(cardList).toHaveLength(made.status === 200 ? 2 : 1)
})

test('another customer’s card looks like none at all', async () => {
  await using world = await cardsWorld()
  const { member: owner, ids } = await world.memberWithCards(['4242424242424242', '5555555555554444'])
  const { member: other } = await world.memberWithCards(['4242424242424242'])
  const without = await world.member()

  for (const caller of [other, without]) {
    const tries = (paymentMethodId: string) => [
      world.as(caller).send(contract.readCard, { params: { paymentMethodId }, query: {} }),
      world.as(caller).send(contract.updateCard, { params: { paymentMethodId }, body: edit }),
      world.as(caller).send(contract.setDefaultCard, { params: { paymentMethodId } }),
      world.as(caller).send(contract.removeCard, { query: {}, params: { paymentMethodId } }),
    ]
    const plain = async (paymentMethodId: string) =>
      (await Promise.all(tries(paymentMethodId))).map(({ status, body }) => ({ status, ...body, requestId: '' }))
    const foreign = await plain(ids[1] ?? '')

    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(foreign).toEqual(await plain('pm_1NoSuchCardAnywhere'))
    expect((await plain('../../v1/customers')).map(({ status }) => status)).toEqual([422, 422, 422, 422])
  }
  expect((await world.list(owner)).cardList).toHaveLength(2)
  expect(
    (await world.as(owner).send(contract.removeCard, { query: {}, params: { paymentMethodId: ids[1] ?? '' } })).status,
  ).toBe(200)
})

test.each([
  ['rate_limit', 503, 'card_provider_unavailable'],
  ['html', 503, 'card_provider_unavailable'],
  ['error', 503, 'card_provider_unavailable'],
  ['reset', 503, 'card_provider_unavailable'],
] as const)('if the provider answers a list with %s, the reply is a problem, not a 500', async (kind, status, code) => {
  await using world = await cardsWorld()
  const { member } = await world.memberWithCards(['4242424242424242'])
  await sandbox.misbehave({ kind, pattern: '/payment_methods*', times: 20 })
  const reply = await world.as(member).send(contract.listCards, {})
  await sandbox.behave()

  expect([reply.status, reply.body.code]).toEqual([status, code])
  expect((await world.list(member)).cardList).toHaveLength(1)
})

test('a customer that the vendor deleted at the provider has no cards, and can add one again', async () => {
  await using world = await cardsWorld()
  const { member } = await world.memberWithCards(['4242424242424242'])
  const [row] = await world.db.select().from(providerCustomers).where(eq(providerCustomers.memberId, member.id))
  await sandbox.stripe.customers.del(row?.customerId ?? '')

  expect((await world.list(member)).cardList).toEqual([])
  expect((await world.add(member)).status).toBe(200)
  expect((await world.list(member)).cardList).toHaveLength(1)
})

test('a customer that the provider does not know is not deleted here: the key may belong to another account', async () => {
  await using world = await cardsWorld()
  const { member } = await world.memberWithCards(['4242424242424242'])
  const mine = eq(providerCustomers.memberId, member.id)
  await world.db.update(providerCustomers).set({ customerId: 'cus_ofAnotherAccount' }).where(mine)
  const [listed, added] = [await world.as(member).send(contract.listCards, {}), await world.add(member)]

  expect([listed.status, added.status]).toEqual([503, 503])
  expect(await world.db.select().from(providerCustomers).where(mine)).toHaveLength(1)
})

test('while the outcome of a removal is unknown, no other change is decided; later both answers are correct', async () => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards(['4242424242424242', '5555555555554444'])
  const params = { paymentMethodId: ids[1] ?? '' }
  world.deps.cards.removeCard = () => Promise.reject(new ProviderFailure('unknown', new Error('no answer')))
  const removed = await world.as(member).send(contract.removeCard, { query: {}, params })
  const early = await world.as(member).send(contract.setDefaultCard, { params: { paymentMethodId: ids[0] ?? '' } })
  await sandbox.stripe.paymentMethods.detach(params.paymentMethodId)
  await world.reconcileAfter(46)
  const caller = { ...member, cookie: await world.session(member.id) }
  const late = await world.as(caller).send(contract.setDefaultCard, { params })

  expect([removed.body.code, late.status]).toEqual(['card_outcome_unknown', 404])
  expect([early.status, early.body.code]).toEqual([409, 'card_change_pending'])
  expect(await world.actions(member)).toEqual(['card.added', 'card.added', 'card.removed'])
})

test('a change whose answer was lost is resolved by the next one', async () => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards(['4242424242424242', '5555555555554444', '4242424242424242'])
  const { removeCard } = world.deps.cards
  world.deps.cards.removeCard = () => Promise.reject(new ProviderFailure('unknown', new Error('no answer')))
  await world.as(member).send(contract.removeCard, { query: {}, params: { paymentMethodId: ids[1] ?? '' } })
  world.deps.cards.removeCard = removeCard
  await sandbox.stripe.paymentMethods.detach(ids[1] ?? '')
  const next = await world
    .as(member)
    .send(contract.removeCard, { query: {}, params: { paymentMethodId: ids[2] ?? '' } })

  expect(next.body.cardList.map(({ id }) => id)).toEqual([ids[0]])
  expect(await world.actions(member)).toEqual([...Array(3).fill('card.added'), 'card.removed', 'card.removed'])
})

test('a card that was removed elsewhere after the list was read looks like none', async () => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards(['4242424242424242', '5555555555554444'])
  const { cards } = world.deps.cards
  world.deps.cards.cards = async (customerId) => {
    const stored = await cards(customerId)
    await sandbox.stripe.paymentMethods.detach(ids[1] ?? '')
    return stored
  }
  const { status } = await world
    .as(member)
    .send(contract.removeCard, { query: {}, params: { paymentMethodId: ids[1] ?? '' } })

  expect(status).toBe(404)
})

test('the activity records what an edit changed', async () => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards(['4242424242424242'])
  await world.as(member).send(contract.updateCard, { params: { paymentMethodId: ids[0] ?? '' }, body: edit })
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, member.id))

  expect(rows.find(({ action }) => action === 'card.updated')?.details).toMatchObject({
    before: { firstName: '' },
    after: { firstName: 'Ada', address: { city: 'San Francisco' } },
  })
})

test('no card number and no client secret is in any activity row', async () => {
  await using world = await cardsWorld()
  const { member } = await world.memberWithCards(['4242424242424242'])
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, member.id))

  expect(JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(
    /4242|seti_\w+_secret/,
  )
})
