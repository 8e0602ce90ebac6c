import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())

test('a missing intent is an error in the provider’s words', async () => {
  const setup = await world.refused(world.stripe.setupIntents.retrieve('seti_none'))
  const payment = await world.refused(world.stripe.paymentIntents.retrieve('pi_none'))

  expect(setup).toMatchObject({ statusCode: 404, message: expect.stringContaining("No such setupintent: 'seti_none'") })
  expect(payment).toMatchObject({
    statusCode: 404,
    message: expect.stringContaining("No such payment_intent: 'pi_none'"),
  })
})

test('payment method types can be allowed, excluded, shown and unset', async () => {
  const { setupIntents, paymentIntents } = world.stripe
  const made = await setupIntents.create({
    allowed_payment_method_types: ['card'],
    excluded_payment_method_types: ['klarna', 'sepa_debit'],
  })
  const emptied = await setupIntents.update(made.id, {
    allowed_payment_method_types: '',
    excluded_payment_method_types: '',
  })
  const payment = await paymentIntents.create({
    amount: 900,
    currency: 'eur',
    excluded_payment_method_types: ['paypal'],
  })

  expect(made).toMatchObject({
    allowed_payment_method_types: ['card'],
    excluded_payment_method_types: ['klarna', 'sepa_debit'],
  })
  expect(emptied).toMatchObject({ allowed_payment_method_types: null, excluded_payment_method_types: null })
  expect(payment.excluded_payment_method_types).toEqual(['paypal'])
  expect(await paymentIntents.update(payment.id, { excluded_payment_method_types: '' })).toMatchObject({
    excluded_payment_method_types: null,
  })
  for (const type of ['card', 'seashells']) {
    const call = setupIntents.create({ excluded_payment_method_types: [type] })
    expect((await world.refused(call)).statusCode, type).toBe(400)
  }
})
