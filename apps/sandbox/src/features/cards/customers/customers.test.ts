import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())

test('a customer is created, read, changed and listed by email', async () => {
  const { customers } = world.stripe
  const made = await customers.create({
    email: 'ada@folio.test',
    name: 'Ada',
    address: { line1: '1 Main Street', city: 'Berlin', country: 'DE' },
    metadata: { member: '7', gone: 'x' },
  })
  expect(made).toMatchObject({
    object: 'customer',
    livemode: false,
    address: { line1: '1 Main Street', line2: null, city: 'Berlin', country: 'DE' },
    invoice_settings: { default_payment_method: null },
  })
  expect(made.id).toMatch(/^cus_[0-9A-Za-z]{14}$/)

  const changed = await customers.update(made.id, { name: 'Ada L.', metadata: { gone: '', more: 'y' }, phone: '' })
  expect(changed).toMatchObject({ name: 'Ada L.', phone: null, metadata: { member: '7', more: 'y' } })
  expect(changed.metadata).not.toHaveProperty('gone')
  expect((await customers.update(made.id, { metadata: '', address: '' })).metadata).toEqual({})

  expect(await customers.retrieve(made.id)).toMatchObject({ name: 'Ada L.', address: null, email: 'ada@folio.test' })
  expect((await customers.list({ email: 'ada@folio.test' })).data.map(({ id }) => id)).toEqual([made.id])
  expect((await customers.list({ email: 'nobody@folio.test' })).data).toEqual([])
})

test('a deleted customer is only an id, is in no list, and has lost its cards', async () => {
  const { customers, paymentMethods } = world.stripe
  const { id } = await customers.create({ email: 'gone@folio.test', payment_method: 'pm_card_visa' })
  const [card] = (await customers.listPaymentMethods(id)).data

  expect(await customers.del(id)).toMatchObject({ id, deleted: true })

  expect(await customers.retrieve(id)).toEqual(expect.objectContaining({ id, object: 'customer', deleted: true }))
  expect((await customers.list({ email: 'gone@folio.test' })).data).toEqual([])
  expect((await paymentMethods.retrieve(card?.id ?? '')).customer).toBeNull()
  expect((await world.refused(customers.update(id, { name: 'x' }))).code).toBe('resource_missing')
  expect((await world.refused(paymentMethods.list({ customer: id }))).statusCode).toBe(400)
})

test('metadata has at most fifty keys, even over several updates', async () => {
  const pairs = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${from + index}`, 'x']))
  const { id } = await world.stripe.customers.create({ metadata: pairs(0, 50) })

  expect((await world.refused(world.stripe.customers.update(id, { metadata: pairs(50, 1) }))).param).toBe('metadata')
  expect((await world.stripe.customers.update(id, { metadata: { key0: '', key50: 'y' } })).metadata).toHaveProperty(
    'key50',
  )
})

test('a missing customer is an error in the provider’s words', async () => {
  const error = await world.refused(world.stripe.customers.retrieve('cus_none'))

  expect(error).toMatchObject({ statusCode: 404, code: 'resource_missing', param: 'id' })
  expect(error.message).toContain("No such customer: 'cus_none'")
})

test('only the customer’s own card can be the default, and detaching it unsets the default', async () => {
  const { customers, paymentMethods } = world.stripe
  const [ada, grace] = await Promise.all([
    customers.create({ payment_method: 'pm_card_visa' }),
    customers.create({ payment_method: 'pm_card_mastercard' }),
  ])
  const [hers] = (await customers.listPaymentMethods(ada.id)).data
  const [others] = (await customers.listPaymentMethods(grace.id)).data

  const settings = (id = '') => ({ invoice_settings: { default_payment_method: id } })
  expect((await world.refused(customers.update(ada.id, settings(others?.id)))).code).toBe('resource_missing')
  const updated = await customers.update(ada.id, settings(hers?.id))
  expect(updated.invoice_settings.default_payment_method).toBe(hers?.id)
  const expanded = await customers.retrieve(ada.id, { expand: ['invoice_settings.default_payment_method'] })
  expect(expanded).toMatchObject({ invoice_settings: { default_payment_method: { card: { last4: '4242' } } } })

  await paymentMethods.detach(hers?.id ?? '')
  expect(await customers.retrieve(ada.id)).toMatchObject({ invoice_settings: { default_payment_method: null } })
})

test('a customer can be created with a default card', async () => {
  const { customers } = world.stripe
  const made = await customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })

  const { data } = await customers.listPaymentMethods(made.id)
  expect(data.map(({ id }) => id)).toEqual([made.invoice_settings.default_payment_method])
})

test('a customer whose card is declined is not created', async () => {
  const { customers } = world.stripe
  const error = await world.refused(
    customers.create({ email: 'declined@folio.test', payment_method: 'pm_card_visa_chargeDeclined' }),
  )

  expect(error).toMatchObject({ statusCode: 402, code: 'card_declined' })
  expect((await customers.list({ email: 'declined@folio.test' })).data).toEqual([])
})
