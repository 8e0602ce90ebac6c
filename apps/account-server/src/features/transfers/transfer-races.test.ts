import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { lockMember } from '../../db/members.queries.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import { typedPurchase } from '../../test/typed-purchase.ts'
import { untilWaiting } from '../../test/waiting.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

/**
 * An Owner of something proven, `own`, and of what only their address made theirs, `sid`, with an add-on of it; a recipient without a
 * card, and `right`, whose `sid` may be.
 */
async function people() {
  const world = await typedPurchase(sandbox)
  const { buyer, sid } = world
  const [recipient, right] = [await world.member(), await world.member()]
  const [own, addOn] = [await world.buy(), await world.buy()]
  await world.db.update(subscriptions).set({ parentId: sid }).where(eq(subscriptions.id, addOn))
  const transferring = transfersIn(world)
  const codes = await transferring.codesFor(buyer, recipient)
  const owner = async (id: string) => (await transferring.stored(id)).memberId
  return {
    ...world,
    ...transferring,
    ...{ recipient, right, own, addOn },
    use: () => transferring.use(buyer, recipient.email, codes),
    owners: async () => ({ own: await owner(own), sid: await owner(sid), addOn: await owner(addOn) }),
  }
}

type World = Awaited<ReturnType<typeof people>>

/** What can become of a link that only an address made; who has what it linked then, undefined: nobody. */
const happenings = {
  raised: {
    happen: async ({ linkCustomer, buyer }: World) => linkCustomer(buyer.email),
    ownerThen: ({ buyer }: World) => buyer.id,
  },
  declined: {
    happen: async ({ caller, sid }: World) =>
      (await caller.send(declineSubscription, { params: { sid } })).body.declined,
    ownerThen: () => undefined,
  },
  'given away': {
    happen: async ({ linkCustomer, right }: World) => linkCustomer(right.email),
    ownerThen: ({ right }: World) => right.id,
  },
}

const names = ['raised', 'declined', 'given away'] as const
const done = { raised: 0, declined: 1, 'given away': 0 }

/** What only the address had linked is its own Owner's, and not the recipient's. */
async function expectLinked(world: World, name: (typeof names)[number]) {
  const { sid } = await world.owners()
  const owner = happenings[name].ownerThen(world)
  if (owner !== undefined) expect(sid).toBe(owner)
  else expect([world.buyer.id, world.recipient.id, world.right.id]).not.toContain(sid)
}

async function expectNothingMoved(world: World, { status, body }: Awaited<ReturnType<World['use']>>) {
  const { buyer } = world
  expect([status, body.code]).toEqual([409, 'transfer_changed'])
  expect(await world.owners()).toMatchObject({ own: buyer.id, addOn: buyer.id })
  expect(await world.listed(world.recipient)).toEqual([])
  expect(await world.stripe.subscriptions.retrieve(world.own)).toMatchObject({ cancel_at_period_end: false })
}

test.each(names)('a link is %s between the codes and the transfer: nothing moves that was not told', async (name) => {
  await using world = await people()
  expect(await happenings[name].happen(world)).toBe(done[name])
  await expectNothingMoved(world, await world.use())
  await expectLinked(world, name)
})

test.each(names)('a link is %s while the transfer waits for it: nothing moves that was not told', async (name) => {
  await using world = await people()
  const [happening, moving] = await world.db.transaction(async (tx) => {
    await lockMember(tx, world.buyer)
    const first = happenings[name].happen(world)
    await untilWaiting(world, 1)
    const second = world.use()
    await untilWaiting(world, 2)
    return [[first], [second]] as const
  })
  expect(await happening[0]).toBe(done[name])
  await expectNothingMoved(world, await moving[0])
  await expectLinked(world, name)
})

test.each(names)('a link is %s while it waits for the transfer: what was told has moved, and no more', async (name) => {
  await using world = await people()
  const [moving, happening] = await world.db.transaction(async (tx) => {
    await lockMember(tx, world.buyer)
    const first = world.use()
    await untilWaiting(world, 1)
    const second = happenings[name].happen(world)
    await untilWaiting(world, 2)
    return [[first], [second]] as const
  })
  const { status, body } = await moving[0]
  expect([status, body.moved.map((one) => one.stripeSubscriptionId)]).toEqual([200, [world.own]])
  expect(await happening[0]).toBe(done[name])
  expect(await world.owners()).toMatchObject({ own: world.recipient.id, addOn: world.buyer.id })
  await expectLinked(world, name)
})
