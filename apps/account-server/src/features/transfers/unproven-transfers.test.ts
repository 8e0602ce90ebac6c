import { randomUUID } from 'node:crypto'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { eq, or } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../commands/link-customer.ts'
import { newSeat, newSubscription } from '../../test/factories.ts'
import { noProviders, transfersIn } from '../../test/transfers.ts'
import { newWorld } from '../../test/world.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

const newId = (kind: string) => `${kind}${randomUUID().slice(0, 8).toUpperCase()}`

/** An Owner of something proven, and of what only their address made theirs: at PayPal, and, with an add-on, at the card provider. */
async function unprovenWorld() {
  const world = await newWorld({ settings: noProviders })
  const [owner, recipient] = [await world.member(), await world.member()]
  const customerId = newId('cus_')
  const link = { memberId: owner.id, customerId, proof: 'address', isMain: false } as const
  await world.db.insert(providerCustomers).values({ ...link, createdAt: world.deps.clock() })
  const id = newId('I-')
  const proven = await newSubscription(world, owner)
  const paypal = await newSubscription(world, owner, { channel: 'paypal', proof: 'address', id, providerId: id })
  const card = await newSubscription(world, owner, { customerId, providerId: newId('sub_') })
  const addOn = await newSubscription(world, owner, { parentId: card.id })
  return {
    ...world,
    ...transfersIn(world),
    ...{ owner, recipient, proven, unproven: [paypal.id, card.id, addOn.id].sort(), paypal, card },
    /** `npm run members -- link-customer`: its lines. */
    async linked(email: string, objectId: string) {
      const lines: string[] = []
      const config = { ...world.config, now: world.deps.clock() }
      await linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([email, objectId])?.(
        world.db,
        (line) => lines.push(line),
        config,
      )
      return lines.join('\n')
    },
  }
}

test('what only an address made the Owner’s stays theirs, and can be given to whose it is', async () => {
  await using world = await unprovenWorld()
  const { owner, recipient, proven, unproven, paypal, card } = world
  const shown = await world.check(owner)
  expect(shown).toMatchObject({ canTransfer: 1, obstacle: '', moves: [{ stripeSubscriptionId: proven.id }] })
  const reasons = (stays: typeof shown.stays) => stays.map((one) => `${one.stripeSubscriptionId} ${one.reason}`).sort()
  const expected = unproven.map((id) => `${id} known_by_address`)
  expect(reasons(shown.stays)).toEqual(expected)

  const { status, body } = await world.transfer(owner, recipient)
  expect([status, body.moved.map((one) => one.stripeSubscriptionId)]).toEqual([200, [proven.id]])
  expect(reasons(body.stays)).toEqual(expected)
  const { list } = (await world.as(owner).send(listSubscriptions, { query: {} })).body
  expect(
    list
      .filter((one) => one.knownByAddress === 1)
      .map((one) => one.stripeSubscriptionId)
      .sort(),
  ).toEqual([paypal.id, card.id].sort())
  const right = await world.member()
  expect(await world.linked(right.email, paypal.id)).toContain(`${paypal.id} is ${right.email}`)
})

test('who has nothing else is told why nothing can be transferred', async () => {
  await using world = await unprovenWorld()
  const { owner, recipient, proven } = world
  await world.db.update(subscriptions).set({ origin: 'given', status: 'given' }).where(eq(subscriptions.id, proven.id))

  expect(await world.check(owner)).toMatchObject({ canTransfer: 0, obstacle: 'known_by_address' })
  expect(await world.send(owner, recipient.email)).toMatchObject({
    status: 409,
    body: { code: 'transfer_not_possible' },
  })
})

test('of what a transfer has moved, or is proven to be another’s, the command that links says so', async () => {
  await using world = await unprovenWorld()
  const { owner, recipient, paypal } = world
  const right = await world.member()
  await world.db.update(subscriptions).set({ proof: 'signed' }).where(eq(subscriptions.id, paypal.id))
  expect(await world.linked(right.email, paypal.id)).toContain(`is known to be member ${owner.id}`)

  expect((await world.transfer(owner, recipient)).status).toBe(200)
  const moved = await world.linked(right.email, paypal.id)
  expect(moved).toContain(`${paypal.id} was transferred`)
  expect(moved).toContain(`member ${recipient.id} has its subscription`)
})

test('whom a stranger has made an Owner with their address can receive, as long as nothing is proven to be theirs', async () => {
  await using world = await unprovenWorld()
  const { owner, proven, card } = world
  const sender = await world.member()
  const moved = await newSubscription(world, sender)
  const isFree = async () => (await world.checkEmail(sender, owner.email)).status
  expect(await isFree()).toBe(409)

  await world.db
    .update(subscriptions)
    .set({ status: 'canceled', autoRenew: false, endedAt: world.deps.clock() })
    .where(or(eq(subscriptions.id, proven.id), eq(subscriptions.parentId, card.id)))
  expect(await isFree()).toBe(200)
  // A seat in somebody else's is one, however that is known to be theirs.
  const { id: memberId, email } = await world.member()
  await newSeat(world, card.id, { memberId, email })
  expect((await world.checkEmail(sender, email)).status).toBe(409)

  const { status, body } = await world.transfer(sender, owner)
  expect([status, body.moved.map((one) => one.stripeSubscriptionId)]).toEqual([200, [moved.id]])
})
