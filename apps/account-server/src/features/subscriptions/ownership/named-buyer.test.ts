import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import type { TestMember } from '../../../test/world.ts'
import { activity } from '../../activity/activity.tables.ts'
import { mailQueue } from '../../mail/mail.writes.ts'
import { paidOrdersQueue } from '../../orders/receipts.writes.ts'
import { addressSubject, signReference } from '../../payments/customers/account-reference.rules.ts'
import { linkOfCustomer } from '../../payments/customers/customers.queries.ts'
import { findPurchases } from '../purchases.sync.ts'
import { sendReceipt } from '../receipts/send-receipt.ts'

const sandbox = await sandboxOfFile()

const secret = 'a secret that the shop and the account area share'
const Paid = z.object({ orderNumber: z.string(), channel: z.enum(['card', 'paypal']), queuedAt: z.string() })
const Sent = z.object({ to: z.string(), subject: z.string() })

/** One member's address was typed at the checkout; the vendor has written to the subscription that another member bought it. */
async function namedPurchase(by: 'key' | 'shop', { isLinked = false } = {}) {
  const world = await cardVendor(sandbox, { settings: { SHOP_SIGNING_SECRET: secret } })
  const { buyer: typed, deps, product, db } = world
  const { stripe } = sandbox
  const named = await world.member()
  const { id: customer } = await stripe.customers.create({ email: typed.email })
  const { id: method } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer })
  const [price] = (await stripe.prices.list({ lookup_keys: [`${product.code.toLowerCase()}-yearly-usd`] })).data
  const billed = { customer, items: [{ price: price?.id ?? '' }], default_payment_method: method }
  if (isLinked) {
    await stripe.subscriptions.create(billed)
    await findPurchases(deps, typed.id)
  }
  const expiresAt = new Date(Date.now() + 3_600_000)
  const accountReference = signReference(secret, { subject: addressSubject(named.email), expiresAt })
  const metadata: Record<string, string> = by === 'key' ? { memberId: named.id } : { accountReference }
  const { id: subscription } = await stripe.subscriptions.create({ ...billed, metadata })
  const [bill] = (await stripe.invoices.list({ subscription })).data
  const ids = { customer, subscription, invoice: bill?.id ?? '' }
  world.at(new Date())
  world.sent.splice(0)

  return {
    ...world,
    ...{ typed, named, subscription },
    hear: (objectType: keyof typeof ids) => world.told(objectType)(ids[objectType]),
    link: () => linkOfCustomer(db, customer),
    /** Emails about purchases, those of receipts that wait included: to whom. */
    async emailed(): Promise<Set<string>> {
      for (const { data } of world.sent.filter(({ queue }) => queue === paidOrdersQueue)) {
        await sendReceipt(deps, Paid.parse(data))
      }
      return new Set(world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data).to] : [])))
    },
    /** What their account shows of it: subscriptions, orders, and what the activity names. */
    async seenBy(member: TestMember) {
      const caller = world.as({ cookie: await world.session(member.id) })
      const { list } = (await caller.send(listOnlineOrders, { query: {} })).body
      const actions = await db.select().from(activity).where(eq(activity.memberId, member.id))
      const isOf = (target: string) => actions.some((one) => one.target === target)
      return {
        subscriptions: (await world.listed(member)).map((one) => one.stripeSubscriptionId),
        orders: list.length,
        isActive: isOf(customer) || isOf(subscription) || list.some((one) => isOf(one.orderNumber)),
      }
    },
  }
}

const hidden = { subscriptions: [], orders: 0, isActive: false }

const turns = [
  ['customer', 'invoice', 'subscription'],
  ['customer', 'subscription', 'invoice'],
  ['invoice', 'customer', 'subscription'],
  ['invoice', 'subscription', 'customer'],
  ['subscription', 'customer', 'invoice'],
] as const

test.each(turns.flatMap((turn) => (['key', 'shop'] as const).map((by) => [by, ...turn] as const)))(
  'whom the vendor’s %s names in a subscription has it from the first event: %s, %s, %s',
  async (by, ...turn) => {
    await using world = await namedPurchase(by)
    for (const objectType of turn) await world.hear(objectType)
    await findPurchases(world.deps, world.named.id)
    await findPurchases(world.deps, world.typed.id)

    const proof = by === 'key' ? 'ours' : 'signed'
    expect(await world.link()).toMatchObject({ memberId: world.named.id, proof })
    expect(await world.seenBy(world.typed)).toEqual(hidden)
    expect(await world.seenBy(world.named)).toEqual({ subscriptions: [world.subscription], orders: 1, isActive: true })
    expect(await world.emailed()).toEqual(new Set([world.named.email]))
  },
)

test('events that are heard at the same time make nobody the owner by an address either', async () => {
  await using world = await namedPurchase('key')
  await Promise.all([world.hear('customer'), world.hear('invoice'), world.hear('subscription')])

  expect(await world.link()).toMatchObject({ memberId: world.named.id, proof: 'ours' })
  expect([await world.seenBy(world.typed), [...(await world.emailed())]]).toEqual([hidden, [world.named.email]])
})

test('the sign-in of whose address was typed links the customer to whom the vendor has named, and theirs is looked for', async () => {
  await using world = await namedPurchase('key')
  await findPurchases(world.deps, world.typed.id)

  expect(await world.link()).toMatchObject({ memberId: world.named.id, proof: 'ours' })
  expect(world.sent).toContainEqual(
    expect.objectContaining({ queue: 'members.purchases', data: { memberId: world.named.id } }),
  )
  expect(await world.seenBy(world.typed)).toEqual(hidden)
})

test('where the customer is known by an address from before, an invoice is of whom its subscription names', async () => {
  await using world = await namedPurchase('key', { isLinked: true })
  await world.hear('invoice')

  expect([...(await world.emailed())]).toEqual([world.named.email])
})
