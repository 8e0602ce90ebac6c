import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { nextSyncNumber } from '../../../db/sync-numbers.queries.ts'
import { termsVendor } from '../../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { transfersIn } from '../../../test/transfers.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { orders } from '../../orders/orders.tables.ts'
import { applySale } from '../paypal-sales.sync.ts'
import { givePaypal } from './give-paypal.ts'

const sandbox = await sandboxOfFile()

/** Known by an address, and stored; its payment was not read yet. */
async function typed() {
  const world = await termsVendor(sandbox)
  const { db, deps } = world
  const right = await world.member()
  const id = await world.buy({ customId: world.buyer.email })
  await world.sync(id)
  const [saleId = ''] = await world.sales(id)
  const paid = {
    sale: await deps.paypal.readSale(saleId),
    given: await deps.paypal.readSubscription(id),
    syncNumber: await nextSyncNumber(db),
    isTakenOver: false,
  }
  const gift = { providerId: id, memberId: right.id, proof: 'signed', now: deps.clock() } as const
  return {
    world,
    right,
    give: (tx: Parameters<typeof givePaypal>[1]) => givePaypal(deps, tx, gift),
    apply: () => applySale(deps, paid),
    async owners() {
      const rows = await db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
      return rows.map(({ memberId }) => memberId)
    },
  }
}

/** Something else happens after a payment was read, and before its order is stored. */
function beforeStoring(world: Awaited<ReturnType<typeof typed>>['world'], happen: () => Promise<unknown>) {
  const { transaction } = world.db
  vi.spyOn(world.db, 'transaction').mockImplementationOnce(async (...asked: Parameters<typeof transaction>) => {
    await happen()
    return transaction.apply(world.db, asked)
  })
}

test('what is given to whose it is while its payment is read is an order of theirs', async () => {
  const { world, right, give, apply, owners } = await typed()
  await using _ = world
  beforeStoring(world, () => world.db.transaction(give))
  expect(await apply()).toBe('done')
  expect(await owners()).toEqual([right.id])
})

test('so is what is being given when the order is to be stored', async () => {
  const { world, right, give, apply, owners } = await typed()
  await using _ = world
  const applied = await world.db.transaction(async (tx) => {
    expect(await give(tx)).toMatchObject({ kind: 'linked' })
    const applying = apply()
    await untilWaiting(world, 1)
    return { applying }
  })
  expect(await applied.applying).toBe('done')
  expect(await owners()).toEqual([right.id])
})

test('what is transferred while its payment is read is an order of who had it', async () => {
  const { world, right, give, apply, owners } = await typed()
  await using _ = world
  await world.db.transaction(give)
  const recipient = await world.member()
  world.at(world.inDays(0.01))
  const cookie = await world.session(right.id)
  beforeStoring(world, async () => {
    expect((await transfersIn(world).transfer({ ...right, cookie }, recipient)).status).toBe(200)
  })
  expect(await apply()).toBe('done')
  expect(await owners()).toEqual([right.id])
})
