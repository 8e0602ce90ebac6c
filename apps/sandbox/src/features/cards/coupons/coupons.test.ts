import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())

test('a coupon takes a percentage or an amount, and is created, listed and deleted', async () => {
  const { coupons } = world.stripe
  const percentage = await coupons.create({ id: 'SUMMER', percent_off: 12.5, duration: 'forever' })
  const amount = await coupons.create({ amount_off: 500, currency: 'USD', duration: 'once', max_redemptions: 1 })

  expect(percentage).toMatchObject({
    id: 'SUMMER',
    percent_off: 12.5,
    amount_off: null,
    valid: true,
    times_redeemed: 0,
  })
  expect(amount).toMatchObject({ amount_off: 500, currency: 'usd', duration: 'once', max_redemptions: 1 })
  expect((await coupons.list()).data.map(({ id }) => id)).toEqual([amount.id, 'SUMMER'])
  expect((await world.refused(coupons.create({ id: 'SUMMER', percent_off: 1 }))).code).toBe('resource_already_exists')
  await coupons.del('SUMMER')
  expect((await world.refused(coupons.retrieve('SUMMER'))).statusCode).toBe(404)
})

test('a coupon is valid until it must be redeemed', async () => {
  const { coupons } = world.stripe
  const soon = Math.floor(Date.now() / 1000) + 600
  const { id } = await coupons.create({ percent_off: 10, duration: 'once', redeem_by: soon })
  expect((await coupons.retrieve(id)).valid).toBe(true)

  world.pass(700_000)
  expect((await coupons.retrieve(id)).valid).toBe(false)
})

test.each([
  ['percent_off', {}],
  ['percent_off', { percent_off: 101 }],
  ['percent_off', { percent_off: 10, amount_off: 10, currency: 'usd' }],
  ['currency', { amount_off: 10 }],
  ['duration', { percent_off: 10, duration: 'repeating' as const }],
  ['applies_to[products]', { percent_off: 10, applies_to: { products: ['prod_none'] } }],
])('a coupon is refused for its %s', async (param, given) => {
  const refused = await world.refused(world.stripe.coupons.create(Object.assign({}, given)))
  expect(refused).toMatchObject({ statusCode: 400, param })
})
