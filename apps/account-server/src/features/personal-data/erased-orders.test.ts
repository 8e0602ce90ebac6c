import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../test/typed-purchase.ts'
import { orders } from '../orders/orders.tables.ts'
import { addressSubject, signReference } from '../payments/customers/account-reference.rules.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { eraseMember } from './erase-member.service.ts'

const sandbox = await sandboxOfFile()

const shopSecret = 'a secret that the shop and the account area share'

type World = Awaited<ReturnType<typeof typedPurchase>>

/** The account reference that the shop has signed for an address. */
function signed(email: string) {
  const expiresAt = new Date(Date.now() + 3_600_000)
  return { accountReference: signReference(shopSecret, { subject: addressSubject(email), expiresAt }) }
}

/** Somebody has bought a subscription, of which its metadata says whose it is, and something once; it has ended, and they were erased. */
async function erasedBuyer(metadataOf: (buyer: { id: string; email: string }) => Record<string, string>) {
  const world = await typedPurchase(sandbox, { SHOP_SIGNING_SECRET: shopSecret })
  const { stripe, db, buyer, sid, onceId } = world
  await stripe.subscriptions.update(sid, { metadata: metadataOf(buyer) })
  await world.sync(sid)
  await world.syncInvoice(onceId)
  await stripe.subscriptions.cancel(sid)
  await world.sync(sid)
  await db.update(orders).set({ origin: 'imported' }).where(eq(orders.memberId, buyer.id))
  const asked = { email: buyer.email, secret: 'a secret of at least 32 characters', pastDueDays: 21, dryRun: false }
  expect(await eraseMember(db, { ...asked, now: world.deps.clock() })).toMatchObject({ kind: 'erased' })
  await world.reconcileAfter(60)
  return world
}

/** Somebody signs up with the address later, and what they bought is looked for. */
async function signUpAgain(world: World) {
  const next = await world.member({ email: world.buyer.email })
  await world.findPurchases(next)
  return next
}

/** Who has what the erased person has bought: the subscription, and the orders. */
async function owners({ db, sid, buyer, otherCustomer, stripe }: World) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.providerId, sid))
  const invoices = (await stripe.invoices.list({ customer: otherCustomer })).data.map(({ id }) => id)
  const rows = (await db.select().from(orders)).filter(({ providerId }) => providerId && invoices.includes(providerId))
  const ofFirst = rows.filter(({ memberId }) => memberId === buyer.id)
  return { isSubscriptionTheirs: row?.memberId === buyer.id, orders: ofFirst.length }
}

const theirs = { isSubscriptionTheirs: true, orders: 2 }

test('what the shop had signed for an erased person’s address gives their orders to nobody who has the address later', async () => {
  await using world = await erasedBuyer(({ email }) => signed(email))
  const next = await signUpAgain(world)
  await world.syncInvoice(world.onceId)
  expect(await world.ordered(next)).toEqual([])
  expect(await owners(world)).toEqual(theirs)
})

test.each([
  ['proven', ({ id }: { id: string }) => ({ memberId: id })],
  ['known by the address', () => ({})],
] as const)(
  'nor does what they buy at the same customer, or link-customer, if the subscription was %s',
  async (_how, metadataOf) => {
    await using world = await erasedBuyer(metadataOf)
    const { stripe, sid, otherCustomer: customer } = world
    const next = await signUpAgain(world)
    const { items } = await stripe.subscriptions.retrieve(sid)
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    const bought = { customer, items: [{ price: items.data[0]?.price.id ?? '' }], default_payment_method: card }
    const { id } = await stripe.subscriptions.create({ ...bought, metadata: signed(next.email) })
    await world.sync(id)
    await world.findPurchases(next)
    expect(await world.ids(next)).toEqual([id])
    expect(await owners(world)).toEqual(theirs)

    expect(await world.linkCustomer(next.email)).toBe(0)
    await world.findPurchases(next)
    expect(await world.ids(next)).toEqual([id])
    expect(await world.ordered(next)).toHaveLength(1)
    expect(await owners(world)).toEqual(theirs)
  },
)
