import { randomUUID } from 'node:crypto'
import { listOffered } from '@atrium/contract/offered-subscriptions.ts'
import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '../../db/members.tables.ts'
import { cardVendor } from '../../test/card-billing.ts'
import { paypalVendor } from '../../test/paypal.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { sessionCookieOf, signInAs } from '../../test/sign-in.ts'
import type { newWorld, TestMember } from '../../test/world.ts'
import { addressSubject, signReference } from '../payments/customers/account-reference.rules.ts'
import { purchasesQueue } from '../session/purchases.writes.ts'
import { findPurchases } from './purchases.sync.ts'

const sandbox = await sandboxOfFile()

const secret = 'a secret that the shop and the account area share'

const newEmail = () => `a${randomUUID()}@example.test`

const signedFor = (email: string) =>
  signReference(secret, { subject: addressSubject(email), expiresAt: new Date(Date.now() + 86_400_000) })

/** Runs what a sign-in, or what was found, has enqueued. */
async function runPurchaseJobs({ deps, sent }: Awaited<ReturnType<typeof newWorld>>): Promise<void> {
  for (;;) {
    const waiting = sent.splice(0).filter(({ queue }) => queue === purchasesQueue)
    if (waiting.length === 0) return
    for (const { data } of waiting) await findPurchases(deps, Object(data).memberId)
  }
}

/** A shop that sells at the card provider to whoever types an address. */
async function shop() {
  const world = await cardVendor(sandbox, { settings: { SHOP_SIGNING_SECRET: secret } })
  const { stripe } = sandbox
  const lookupKey = `${world.product.code.toLowerCase()}-monthly-usd`
  const [price] = (await stripe.prices.list({ lookup_keys: [lookupKey] })).data
  async function customerWith(email: string) {
    const { id: customer } = await stripe.customers.create({ email })
    const { id: default_payment_method } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    return { customer, default_payment_method }
  }
  return {
    ...world,
    async subscribe(email: string, more: { trial_period_days?: number; metadata?: { accountReference: string } } = {}) {
      const items = [{ price: price?.id ?? '' }]
      const bought = await stripe.subscriptions.create({ ...(await customerWith(email)), items, ...more })
      await world.syncInvoice(String(bought.latest_invoice))
      await world.sync(bought.id)
      return bought.id
    },
    async buyOnce(email: string) {
      const billed = await customerWith(email)
      const { id } = await stripe.invoices.create(billed)
      const line = { customer: billed.customer, invoice: id, amount: 700, currency: 'usd' }
      await stripe.invoiceItems.create(line)
      await stripe.invoices.finalizeInvoice(id)
      await stripe.invoices.pay(id)
      await world.syncInvoice(id)
    },
    async find(member: TestMember) {
      await findPurchases(world.deps, member.id)
      await runPurchaseJobs(world)
    },
    async amounts(member: TestMember) {
      const { list } = (await world.as(member).send(listOnlineOrders, { query: {} })).body
      return list.map(({ orderAmount }) => orderAmount).sort()
    },
    offered: async (member: TestMember) => (await world.as(member).send(listOffered, {})).body.list,
    ids: async (member: TestMember) => (await world.listed(member)).map((one) => one.stripeSubscriptionId),
  }
}

test.each([
  ['as it is stored here', (email: string) => email],
  [
    'with a capital letter, as phones write it',
    (email: string) => `${email.slice(0, 1).toUpperCase()}${email.slice(1)}`,
  ],
  ['in capital letters', (email: string) => email.toUpperCase()],
])('what was bought before there was an account is found by the address %s', async (_how, typed) => {
  await using world = await shop()
  const email = newEmail()
  const sid = await world.subscribe(typed(email))
  await world.buyOnce(typed(email))
  await world.subscribe(typed(email), { trial_period_days: 14 })

  const member = await world.member({ email })
  await world.find(member)
  expect([await world.ids(member), await world.amounts(member)]).toEqual([[sid], [1000, 700]])
  expect(await world.offered(member)).toHaveLength(1)
})

test('what the shop has signed for an address is found by that, whoever’s address its customer has', async () => {
  await using world = await shop()
  const email = newEmail()
  const accounts = `accounts-${email}`
  const sid = await world.subscribe(accounts, { metadata: { accountReference: signedFor(email) } })
  await world.subscribe(newEmail(), { metadata: { accountReference: signedFor(newEmail()) } })

  const member = await world.member({ email })
  await world.find(member)
  expect(await world.listed(member)).toMatchObject([{ stripeSubscriptionId: sid, knownByAddress: 0 }])
  expect(await world.amounts(member)).toEqual([1000])
})

test.each([
  ['whose custom id is the address', (email: string) => email.toUpperCase()],
  ['that the shop has signed for it', signedFor],
])('a subscription of PayPal %s is there after the first sign-in, with its orders', async (_how, customIdFor) => {
  await using world = await paypalVendor(sandbox, { CARD_PROVIDER: 'none' })
  const email = newEmail()
  const id = await world.buy({ customId: customIdFor(email) })
  await world.sync(id)

  const arrival = { user: `subject-${email}`, attributes: { email, emailVerified: 'true' } }
  const caller = world.as({ cookie: `atrium_session=${sessionCookieOf(await signInAs(world, arrival))}` })
  await runPurchaseJobs(world)
  const { list: subscriptions } = (await caller.send(listSubscriptions, { query: {} })).body
  expect(subscriptions).toMatchObject([{ stripeSubscriptionId: id, userCount: 3 }])
  const { list: orders } = (await caller.send(listOnlineOrders, { query: {} })).body
  expect(orders).toMatchObject([{ orderStatus: 'CO', orderAmount: 3000 }])
})

test('what the shop has signed for somebody without an account is nobody’s until then, whoever pays for it', async () => {
  await using world = await paypalVendor(sandbox, { CARD_PROVIDER: 'none' })
  const payer = await world.member({ email: 'buyer@personal.example.com' })
  const email = newEmail()
  const id = await world.buy({ customId: signedFor(email) })
  await world.sync(id)
  const listed = async (one: TestMember) => (await world.as(one).send(listSubscriptions, { query: {} })).body.list
  expect(await listed(payer)).toEqual([])

  const member = await world.member({ email })
  await findPurchases(world.deps, member.id)
  await runPurchaseJobs(world)
  expect(await listed(member)).toMatchObject([{ stripeSubscriptionId: id, knownByAddress: 0 }])
})

test.each(['who was erased', 'without an account'])(
  'what the shop has signed for somebody %s is not of whose address its customer has',
  async (who) => {
    await using world = await shop()
    const { db, deps } = world
    const [gone, other] = [await world.member(), await world.member()]
    await db.update(members).set({ erasedAt: deps.clock() }).where(eq(members.id, gone.id))
    const subject = who === 'who was erased' ? gone.id : addressSubject(newEmail())
    const accountReference = signReference(secret, { subject, expiresAt: new Date(Date.now() + 86_400_000) })
    await world.subscribe(other.email, { metadata: { accountReference } })
    expect([await world.ids(other), await world.amounts(other)]).toEqual([[], []])
  },
)
