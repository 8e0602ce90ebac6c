import { ChangeQuote } from '@atrium/contract/change-quotes.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { subscriptionCreatedQueue } from '../projection.writes.ts'

const sandbox = await sandboxOfFile()

const twoMore = { type: 'buy-more', increasingNumber: 2 } as const

type Given = (item: string, price: string) => Stripe.SubscriptionUpdateParams

/** … instead of what was bought. */
type Instead = (item: Stripe.SubscriptionItem, yearly: string) => Stripe.SubscriptionUpdateParams

const instead = [
  [
    'with the same price',
    ({ id, price }) => ({
      items: [
        { id, deleted: true },
        { price: price.id, quantity: 3 },
      ],
    }),
  ],
  ['by the year', ({ id }, price) => ({ items: [{ id, price, quantity: 3 }] })],
  [
    'with another price',
    ({ id }, price) => ({
      items: [
        { id, deleted: true },
        { price, quantity: 3 },
      ],
    }),
  ],
] as const satisfies readonly (readonly [string, Instead])[]

/** @returns its id, and what the vendor does to it, of which nobody tells us */
async function replaced(world: Awaited<ReturnType<typeof cardVendor>>, given: Instead) {
  const id = await world.buy()
  const { stripe } = sandbox
  const [item] = (await stripe.subscriptions.retrieve(id)).items.data
  const [yearly] = (await stripe.prices.list({ lookup_keys: [`${world.product.code.toLowerCase()}-yearly-usd`] })).data
  if (!item || !yearly) throw new Error('it has no item, or no price')
  return {
    id,
    replace: () => stripe.subscriptions.update(id, { ...given(item, yearly.id), proration_behavior: 'none' }),
  }
}

test.each(instead)(
  'what the vendor replaces after it was quoted, %s, is quoted anew, and that is charged',
  async (_, given) => {
    await using world = await cardVendor(sandbox)
    const { id, replace } = await replaced(world, given)
    const buyer = world.as(world.buyer)
    const { quoteId } = (await buyer.send(contract.changePlanFrom, { body: { sid: id, ...twoMore } })).body.quote
    await replace()
    const commit = (quote: string) =>
      buyer.send(contract.changePlan, { body: { subscriptionId: id, ...twoMore, quoteId: quote } })
    const stale = await commit(quoteId)
    expect([stale.status, stale.body.code]).toEqual([409, 'quote_changed'])
    const fresh = ChangeQuote.parse(stale.body.data)
    expect((await commit(fresh.quoteId)).body).toMatchObject({ chargeAmount: fresh.chargeAmount })
    const [item] = (await sandbox.stripe.subscriptions.retrieve(id)).items.data
    expect(item?.quantity).toBe(5)
  },
)

test.each(instead)(
  'what the vendor has replaced, %s, is what is quoted, though nobody has told us yet',
  async (_, given) => {
    await using world = await cardVendor(sandbox)
    const { id, replace } = await replaced(world, given)
    const after = await replace()
    const { quote } = (await world.as(world.buyer).send(contract.changePlanFrom, { body: { sid: id, ...twoMore } }))
      .body
    const term = after.items.data[0]?.price.recurring?.interval === 'year' ? 'yearly' : 'monthly'
    expect([quote.before.paidType, quote.after]).toMatchObject([term, { paidType: term, userCount: 5 }])
  },
)

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

test('another product in its place is followed by those above, such as licenses, once', async () => {
  await using world = await cardVendor(sandbox)
  const { stripe } = sandbox
  const id = await world.buy()
  const [item] = (await stripe.subscriptions.retrieve(id)).items.data
  const lookupKey = `${world.business.code.toLowerCase()}-monthly-usd`
  const [price] = (await stripe.prices.list({ lookup_keys: [lookupKey] })).data
  const followed = () => world.sent.filter(({ queue }) => queue === subscriptionCreatedQueue).map(({ data }) => data)
  world.sent.splice(0)
  await stripe.subscriptions.update(id, { items: [{ id: item?.id ?? '', price: price?.id ?? '', quantity: 3 }] })
  await world.sync(id)
  await world.sync(id)
  expect(followed()).toEqual([{ subscriptionId: id }])
})

test.each(['keep_as_draft', 'mark_uncollectible', 'void'] as const)(
  'while the vendor has paused collection, which would leave it uncharged (%s), nothing is bought',
  async (behavior) => {
    await using world = await cardVendor(sandbox)
    const id = await world.buy()
    const { stripe } = sandbox
    const buyer = world.as(world.buyer)
    const quote = () => buyer.send(contract.changePlanFrom, { body: { sid: id, ...twoMore } })
    const { quoteId } = (await quote()).body.quote
    await stripe.subscriptions.update(id, { pause_collection: { behavior } })
    const made = await buyer.send(contract.changePlan, { body: { subscriptionId: id, quoteId, ...twoMore } })
    expect([made.status, (await quote()).body.code]).toEqual([409, 'change_not_possible'])
    expect((await stripe.subscriptions.retrieve(id)).items.data[0]?.quantity).toBe(3)
    expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1)

    // That it would be uncharged is the provider's rule.
    const [item] = (await stripe.subscriptions.retrieve(id)).items.data
    const more = [{ id: item?.id ?? '', quantity: 5 }]
    await stripe.subscriptions.update(id, { items: more, proration_behavior: 'always_invoice' })
    const [latest] = (await stripe.invoices.list({ subscription: id })).data
    const statuses = { keep_as_draft: 'draft', mark_uncollectible: 'uncollectible', void: 'void' }
    expect([latest?.status, latest?.amount_paid]).toEqual([statuses[behavior], 0])

    await stripe.subscriptions.update(id, { pause_collection: '' })
    await world.sync(id)
    expect((await quote()).status).toBe(200)
  },
)
