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

test('payment method types can be allowed, shown and unset', async () => {
  const { setupIntents } = world.stripe
  const made = await setupIntents.create({ allowed_payment_method_types: ['card'] })

  expect(made).toMatchObject({ allowed_payment_method_types: ['card'] })
  expect(await setupIntents.update(made.id, { allowed_payment_method_types: '' })).toMatchObject({
    allowed_payment_method_types: null,
  })
  expect((await world.refused(setupIntents.create({ allowed_payment_method_types: ['seashells'] }))).statusCode).toBe(
    400,
  )
})
