import * as contract from '@atrium/contract/plan-changes.ts'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

const twoMore = { type: 'buy-more', increasingNumber: 2 } as const

type Given = (item: string, price: string) => Stripe.SubscriptionUpdateParams

test.each([
  ['seats', 'quote_changed', (id) => ({ items: [{ id, quantity: 7 }] })],
  ['a price of theirs', 'change_not_possible', (id, price) => ({ items: [{ id, price, quantity: 3 }] })],
  ['an end', 'change_not_possible', () => ({ cancel_at_period_end: true })],
] as const satisfies readonly (readonly [string, string, Given])[])(
  'what the vendor has given meanwhile, %s, is neither charged for nor taken back, though nobody has told us yet',
  async (_what, code, given) => {
    await using world = await cardVendor(sandbox)
    const { stripe } = sandbox
    const id = await world.buy()
    const buyer = world.as(world.buyer)
    const { quoteId } = (await buyer.send(contract.changePlanFrom, { body: { sid: id, ...twoMore } })).body.quote
    const [item] = (await stripe.subscriptions.retrieve(id)).items.data
    if (!item) throw new Error('it has no item')
    const { product, currency } = item.price
    const price = await stripe.prices.create({
      ...{ product: String(product), currency, unit_amount: 500, recurring: { interval: 'month' } },
    })
    const before = await stripe.subscriptions.update(id, {
      ...{ ...given(item.id, price.id), proration_behavior: 'none' },
    })

    const stale = await buyer.send(contract.changePlan, { body: { subscriptionId: id, ...twoMore, quoteId } })
    expect([stale.status, stale.body.code]).toEqual([409, code])
    const after = await stripe.subscriptions.retrieve(id)
    const held = ({ items, cancel_at: end }: Stripe.Subscription) => [
      items.data.map((one) => [one.price.id, one.quantity]),
      end,
    ]
    expect(held(after)).toEqual(held(before))
    expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1)
  },
)
