import { subscriptionCancel, subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import { changePlan, changePlanFrom } from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { cardVendor } from '../../test/card-billing.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { type SubscriptionRow, subscriptions } from './subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>

const turnOff = (world: Vendor, sid: string) =>
  world.as(world.buyer).send(subscriptionCancel, { body: { sid, reasons: [1] } })

const turnOn = (world: Vendor, sid: string) => world.as(world.buyer).send(subscriptionRenew, { body: { sid } })

async function buyOneMore(world: Vendor, sid: string) {
  const buyer = world.as(world.buyer)
  const asked = { type: 'buy-more', increasingNumber: 1 } as const
  const { quoteId } = (await buyer.send(changePlanFrom, { body: { sid, ...asked } })).body.quote
  return buyer.send(changePlan, { body: { subscriptionId: sid, quoteId, ...asked } })
}

async function stored(world: Vendor, id: string) {
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))
  return row
}

/** Somebody else reads it after a change has begun, and before the provider makes it. */
function readBefore({ deps: { cards }, ...world }: Vendor, id: string): void {
  const { changePlan: change, turnOffRenewal: end, turnOnRenewal: resume } = cards
  const first =
    <Asked, Answer>(call: (asked: Asked) => Promise<Answer>) =>
    async (asked: Asked) => {
      await world.sync(id)
      return call(asked)
    }
  vi.spyOn(cards, 'changePlan').mockImplementationOnce(first(change))
  vi.spyOn(cards, 'turnOffRenewal').mockImplementationOnce(first(end))
  vi.spyOn(cards, 'turnOnRenewal').mockImplementationOnce(first(resume))
}

const operationsOn = (world: Vendor, id: string) =>
  world.db
    .select()
    .from(providerOperations)
    .where(eq(providerOperations.objectId, id))
    .orderBy(providerOperations.createdAt)

/** How often the provider was read while the change counted as done, and was not to be seen. */
async function hiddenReads(world: Vendor, id: string, isShown: (row: SubscriptionRow | undefined) => boolean) {
  const { cards } = world.deps
  const { readSubscription } = cards
  const before = (await operationsOn(world, id)).length
  const hidden: string[] = []
  vi.spyOn(cards, 'readSubscription').mockImplementation(async (asked) => {
    const [change] = (await operationsOn(world, id)).slice(before)
    if (change?.status === 'succeeded' && !isShown(await stored(world, id))) hidden.push(asked)
    return readSubscription(asked)
  })
  return hidden
}

interface Case {
  before?: typeof turnOff
  ask(world: Vendor, id: string): Promise<{ status: number }>
  isShown(row: SubscriptionRow | undefined): boolean
}

test.each<[string, Case]>([
  ['one seat more', { ask: buyOneMore, isShown: (row) => row?.userCount === 4 }],
  ['auto-renewal off', { ask: turnOff, isShown: (row) => row?.autoRenew === false }],
  ['auto-renewal on', { before: turnOff, ask: turnOn, isShown: (row) => row?.autoRenew === true }],
])('read a moment before the provider makes it, %s is shown as soon as it counts as done', async (_, change) => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await change.before?.(world, id)
  readBefore(world, id)
  const hidden = await hiddenReads(world, id, change.isShown)
  expect((await change.ask(world, id)).status).toBe(200)
  expect([change.isShown(await stored(world, id)), hidden]).toEqual([true, []])
})
