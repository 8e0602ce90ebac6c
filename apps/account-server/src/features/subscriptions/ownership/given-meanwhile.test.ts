import { seatTypes } from '@atrium/contract/seat-types.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newSeat } from '../../../test/factories.ts'
import { unreadPurchase } from '../../../test/filed-purchase.ts'
import { load } from '../../../test/import.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'
import type { LinkProof } from '../../payments/customers/link-proofs.rules.ts'
import { seats } from '../seats.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { giveCustomer } from './give-customer.ts'
import { giveToProven, heldByOthers } from './give-to-proven.ts'

const sandbox = await sandboxOfFile()

/** A file has named a member as a customer who is somebody else; what that one has bought was not read yet. */
async function wronglyLinked() {
  const world = await unreadPurchase(sandbox, { typed: (email) => `accounts-${email}` })
  const { named, payer, customer, db, sid, deps, stripe, has } = world
  await load(world, [{ type: 'provider-customer', email: named.email, customerId: customer }])
  const [invoice] = (await stripe.invoices.list({ customer })).data
  return {
    ...world,
    invoiceId: invoice?.id ?? '',
    /** How many subscriptions and orders whom the file has named has, and whose they are. */
    counts: async () => [await has(named), await has(payer)],
    async stored() {
      const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, sid))
      return row
    },
    /** Something is read, and waits to be stored, while the customer is given to whose it is. */
    async readWhileGiven(read: () => Promise<unknown>, { proof, takes }: Correction) {
      const gift = { customerId: customer, memberId: payer.id, proof, takes, now: deps.clock() } as const
      const reading = await db.transaction(async (tx) => {
        expect(await giveCustomer(deps, tx, gift)).toMatchObject({ kind: 'linked' })
        const reading = read()
        await untilWaiting(world, 1)
        return [reading]
      })
      await reading[0]
    },
  }
}

type Correction = { proof: LinkProof; takes: 'all' | 'unproven' }

const corrections: [string, Correction][] = [
  ['the vendor’s key', { proof: 'ours', takes: 'unproven' }],
  ['link-customer', { proof: 'vendor', takes: 'all' }],
]

test.each(corrections)('what is read while %s corrects whose its customer is goes to them', async (_by, correction) => {
  await using world = await wronglyLinked()
  const { sid, invoiceId, payer } = world
  await world.readWhileGiven(() => world.sync(sid), correction)
  expect(await world.stored()).toMatchObject({ memberId: payer.id, proof: null })
  await world.syncInvoice(invoiceId)
  expect(await world.counts()).toEqual([
    [0, 0],
    [1, 1],
  ])
})

test.each(corrections)('so does an invoice that is read while %s corrects it', async (_by, correction) => {
  await using world = await wronglyLinked()
  await world.readWhileGiven(() => world.syncInvoice(world.invoiceId), correction)
  expect(await world.counts()).toEqual([
    [0, 0],
    [1, 1],
  ])
})

/** What an earlier version of this program has stored while its customer was corrected: it stayed whose the customer had been. */
async function leftBehind(proof: LinkProof) {
  const world = await wronglyLinked()
  const { db, customer, payer, sid } = world
  await world.read()
  expect(await world.stored()).toMatchObject({ memberId: world.named.id, proof: null })
  await db
    .update(providerCustomers)
    .set({ memberId: payer.id, proof })
    .where(eq(providerCustomers.customerId, customer))
  const guest = await world.member()
  await newSeat(world, sid, { memberId: guest.id, email: guest.email, type: seatTypes.setupAdmin })
  return { ...world, syncCustomer: () => world.told('customer')(customer) }
}

type LeftBehind = Awaited<ReturnType<typeof leftBehind>>

const repairs: [string, (world: LeftBehind) => Promise<unknown>][] = [
  ['the next event of the customer', (world) => world.syncCustomer()],
  [
    'sync -- customers',
    async ({ db, deps, customer }) => {
      expect(await heldByOthers(db)).toContain(customer)
      await giveToProven({ ...deps, onLinked: async () => undefined }, customer)
    },
  ],
]

test.each(
  repairs.flatMap(([by, repair]) => (['ours', 'vendor'] as const).map((proof) => [by, proof, repair] as const)),
)('what stayed with whose the customer had been is given by %s to whose it is (%s)', async (_by, proof, repair) => {
  await using world = await leftBehind(proof)
  const { db, sid, payer } = world
  await repair(world)
  expect(await world.counts()).toEqual([
    [0, 0],
    [1, 1],
  ])
  const held = await db
    .select({ memberId: seats.memberId, type: seats.type })
    .from(seats)
    .where(and(eq(seats.subscriptionId, sid), isNull(seats.removedAt)))
  expect(held).toEqual([{ memberId: payer.id, type: seatTypes.owner }])
})

test('what a file has named an Owner of, before that was stored as its proof, stays theirs', async () => {
  await using world = await leftBehind('ours')
  const { db, sid, named, customer } = world
  await db.update(subscriptions).set({ importedFor: named.id }).where(eq(subscriptions.id, sid))
  expect(await heldByOthers(db)).not.toContain(customer)
  await world.syncCustomer()
  expect(await world.stored()).toMatchObject({ memberId: named.id })
})
