import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'
import { cardObjects } from '../store/cards.tables.ts'

const world = await ofFile(newCardsWorld())

const number = '4242424242424242'
const card = { number, exp_month: 4, exp_year: 2030, cvc: '314' }

test('a card becomes a payment method, and its number and code are not stored', async () => {
  const made = await world.stripe.paymentMethods.create({ type: 'card', card, billing_details: { name: 'Ada' } })

  expect(made).toMatchObject({
    object: 'payment_method',
    type: 'card',
    customer: null,
    billing_details: { name: 'Ada', email: null, address: { city: null } },
    card: {
      brand: 'visa',
      last4: '4242',
      exp_month: 4,
      exp_year: 2030,
      country: 'US',
      checks: { cvc_check: 'unchecked' },
    },
  })
  expect(await world.stripe.paymentMethods.retrieve(made.id)).toMatchObject({ id: made.id })
  expect(JSON.stringify(await world.db.select().from(cardObjects))).not.toMatch(/4242424242|"314"/)
})

test('a browser can create one with its publishable key, and does not see a fingerprint', async () => {
  const made = await world.browser.paymentMethods.create({ type: 'card', card })

  expect(made.card?.last4).toBe('4242')
  expect(made.card).not.toHaveProperty('fingerprint')
  expect((await world.refused(world.browser.paymentMethods.retrieve(made.id))).code).toBe('secret_key_required')
})

test('a card is attached once, listed, changed and detached, and cannot be used again', async () => {
  const { customers, paymentMethods } = world.stripe
  const [ada, grace] = await Promise.all([customers.create(), customers.create()])
  const { id } = await paymentMethods.create({ type: 'card', card })
  expect((await world.refused(paymentMethods.update(id, { metadata: { a: 'b' } }))).statusCode).toBe(400)

  const attached = await paymentMethods.attach(id, { customer: ada.id })
  expect(attached).toMatchObject({ customer: ada.id, card: { checks: { cvc_check: 'pass' } } })
  expect((await world.refused(paymentMethods.attach(id, { customer: grace.id }))).statusCode).toBe(400)

  const changed = await paymentMethods.update(id, {
    card: { exp_month: 12, exp_year: 2031 },
    billing_details: { address: { city: 'Rome' } },
  })
  expect(changed).toMatchObject({
    card: { exp_month: 12, exp_year: 2031 },
    billing_details: { address: { city: 'Rome' } },
  })

  expect((await paymentMethods.list({ customer: ada.id, type: 'card' })).data.map((one) => one.id)).toEqual([id])
  expect((await customers.listPaymentMethods(ada.id)).url).toBe(`/v1/customers/${ada.id}/payment_methods`)

  expect((await paymentMethods.detach(id)).customer).toBeNull()
  expect((await paymentMethods.list({ customer: ada.id })).data).toEqual([])
  expect((await world.refused(paymentMethods.attach(id, { customer: ada.id }))).message).toContain(
    'may not be used again',
  )
  expect((await world.refused(paymentMethods.detach(id))).statusCode).toBe(400)
})

test('each use of a predefined method creates a new card', async () => {
  const { customers, paymentMethods } = world.stripe
  const { id } = await customers.create()
  const cards = [
    await paymentMethods.attach('pm_card_visa', { customer: id }),
    await paymentMethods.attach('pm_card_visa', { customer: id }),
    await paymentMethods.attach('pm_card_amex', { customer: id }),
  ]

  expect(new Set(cards.map((one) => one.id)).size).toBe(3)
  expect(new Set(cards.map((one) => one.card?.fingerprint)).size).toBe(2)
  expect(cards[2]?.card).toMatchObject({ brand: 'amex', last4: '0005', display_brand: 'american_express' })
})

test.each([
  ['4000000000000002', 'card_declined', 'generic_decline'],
  ['4000000000009995', 'card_declined', 'insufficient_funds'],
  ['4000000000009987', 'card_declined', 'lost_card'],
  ['4000000000009979', 'card_declined', 'stolen_card'],
  ['4000000000000069', 'expired_card', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
  ['4000000000000119', 'processing_error', 'processing_error'],
])('the card %s cannot be attached: %s, %s', async (declining, code, declineCode) => {
  const { customers, paymentMethods } = world.stripe
  const { id: customer } = await customers.create()
  const { id } = await paymentMethods.create({ type: 'card', card: { ...card, number: declining } })

  const error = await world.refused(paymentMethods.attach(id, { customer }))

  expect(error).toMatchObject({ type: 'StripeCardError', statusCode: 402, code, decline_code: declineCode })
  expect(error.doc_url).toContain('docs.stripe.com')
  expect((await paymentMethods.list({ customer })).data).toEqual([])
})

test('the card that fails later can be attached', async () => {
  const { id } = await world.stripe.customers.create()

  expect(await world.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: id })).toMatchObject({
    customer: id,
    card: { last4: '0341' },
  })
})

test('one card cannot be attached to two customers', async () => {
  const { customers, paymentMethods } = world.stripe
  const both = await Promise.all([customers.create(), customers.create()])
  const { id } = await paymentMethods.create({ type: 'card', card })

  const results = await Promise.allSettled(both.map((customer) => paymentMethods.attach(id, { customer: customer.id })))

  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})
