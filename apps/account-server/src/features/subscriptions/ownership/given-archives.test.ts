import { downloadArchive } from '@atrium/contract/archives.ts'
import { requestDataExport } from '@atrium/contract/data-export.ts'
import { readOrderArchive, requestOrderArchive } from '@atrium/contract/order-files.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { finishArchive, storeFile } from '../../archives/archives.writes.ts'
import { markHiddenOrders } from '../hidden-orders.writes.ts'
import { findPurchases } from '../purchases.sync.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

/** A purchase by a typed address, and a function by which the vendor says whose it is. */
async function newPurchase() {
  const world = await typedPurchase(sandbox)
  const { caller } = world
  const cookie = await world.session(world.buyer.id)
  return {
    world,
    async give() {
      const right = await world.member()
      await world.stripe.customers.update(world.otherCustomer, { metadata: { memberId: right.id } })
      await world.syncCustomer()
      await findPurchases(world.deps, right.id)
      expect(await world.ordered()).toEqual([])
    },
    async requestDocuments() {
      const { body } = await caller.send(requestOrderArchive, { body: {} })
      return body.orderArchive?.id ?? ''
    },
    /** Stores a file, as their jobs do. @returns what makes it the archive, and says whether it is */
    async make(id: string) {
      async function* zip() {
        yield Buffer.from('a document')
      }
      const file = await storeFile(world.db, id, zip())
      const expiresAt = new Date(world.deps.wallClock().getTime() + 3_600_000)
      return () => world.db.transaction((tx) => finishArchive(tx, file, expiresAt))
    },
    async download(id: string) {
      const url = downloadArchive.path.replace(':id', id)
      return (await world.app.inject({ method: 'GET', url, headers: { cookie } })).statusCode
    },
  }
}

test('files of what was another’s are gone once it is given to them', async () => {
  const { world, give, requestDocuments, make, download } = await newPurchase()
  await using _ = world
  const documents = await requestDocuments()
  const exported = (await world.caller.send(requestDataExport, { body: {} })).body.dataExport?.id ?? ''
  const both = [documents, exported]
  for (const id of both) expect(await (await make(id))()).toBe(true)
  expect(await Promise.all(both.map(download))).toEqual([200, 200])

  await give()
  expect(await Promise.all(both.map(download))).toEqual([404, 404])
  expect((await world.caller.send(readOrderArchive, {})).body.orderArchive).toBeNull()
})

test('a file that was begun before cannot be finished', async () => {
  const { world, give, requestDocuments, make, download } = await newPurchase()
  await using _ = world
  const documents = await requestDocuments()
  const finish = await make(documents)
  await give()
  expect(await finish()).toBe(false)
  expect(await download(documents)).toBe(404)
})

test('a file from before prices were hidden is gone, and one from after it stays', async () => {
  const { world, requestDocuments, make, download } = await newPurchase()
  await using _ = world
  const before = await requestDocuments()
  expect(await (await make(before))()).toBe(true)
  await world.db.update(subscriptions).set({ isPriceHidden: true }).where(eq(subscriptions.id, world.sid))
  await markHiddenOrders(world.db, [world.sid])
  expect(await download(before)).toBe(404)

  const after = await requestDocuments()
  expect(await (await make(after))()).toBe(true)
  await markHiddenOrders(world.db, [world.sid])
  expect(await download(after)).toBe(200)
})
