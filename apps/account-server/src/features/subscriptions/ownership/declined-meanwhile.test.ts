import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { load } from '../../../test/import.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { meanwhile } from '../../../test/waiting.ts'
import { syncCustomers } from '../../payments/customers/customers.sync.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

type World = Awaited<ReturnType<typeof typedPurchase>>

const words: Record<string, (world: World) => Promise<unknown>> = {
  'a file of customers': (world) =>
    load(world, [{ type: 'provider-customer', email: world.buyer.email, customerId: world.otherCustomer }]),
  'the word about all addresses': ({ deps }) =>
    syncCustomers({ ...deps, confirmedUntil: new Date(Date.now() + 60_000), now: deps.clock(), say: () => undefined }),
}

test.each(Object.keys(words))(
  'at the moment in which a member says *Not mine*, %s does not make it theirs',
  async (word) => {
    await using world = await typedPurchase(sandbox)
    const { caller, sid } = world
    const [declined] = await meanwhile(world, {
      hold: (tx) => tx.select().from(subscriptions).where(eq(subscriptions.id, sid)).for('update'),
      act: () => caller.send(declineSubscription, { params: { sid } }),
      next: () => words[word]?.(world) ?? Promise.resolve(),
    })
    expect(declined.status).toBe(200)
    await world.syncCustomer()
    await world.sync(sid)
    await world.syncInvoice(world.onceId)
    expect([await world.ids(), await world.ordered(), await world.link()]).toEqual([[], [], undefined])
  },
)
