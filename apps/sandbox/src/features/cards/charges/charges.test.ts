import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())

test('a payment that is too risky is blocked before its bank is asked', async () => {
  const { id } = await world.stripe.paymentIntents.create({
    amount: 4999,
    currency: 'eur',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  })
  const error = await world.refused(world.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_radarBlock' }))

  expect(error).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'fraudulent' })
  expect((await world.stripe.charges.retrieve(error.charge ?? '')).outcome).toMatchObject({
    type: 'blocked',
    network_status: 'not_sent_to_network',
    reason: 'highest_risk_level',
    risk_level: 'highest',
  })
})
