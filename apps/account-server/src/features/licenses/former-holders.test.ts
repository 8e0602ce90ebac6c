import { searchAccount } from '@atrium/contract/search.ts'
import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { unreadPurchase } from '../../test/filed-purchase.ts'
import { load } from '../../test/import.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { formerOwnersQueue } from '../subscriptions/ownership/end-team.writes.ts'
import { leaveLicense } from './licenses.jobs.ts'
import { licenseContacts } from './licenses.tables.ts'

const sandbox = await sandboxOfFile()

/** A file names a member the Owner of what somebody else has bought, and the Holder of its license, with a partner. */
async function wronglyHeld() {
  const world = await unreadPurchase(sandbox, { typed: (email) => `accounts-${email}` })
  const { db, sid, named, stranger: partner } = world
  const licenseId = `LIC-${sid}`
  await world.load(named)
  const created = '2026-03-01T00:00:00Z'
  const contact = { type: 'license-contact', licenseId, userRole: '' }
  const { refusals } = await load(world, [
    { type: 'license', licenseId, subscriptionId: sid, created, activationMethod: 'keycode' },
    { ...contact, email: named.email, relationship: 'Holder' },
    { ...contact, email: partner.email, relationship: 'Partner' },
  ])
  expect(refusals).toEqual([])
  return {
    ...world,
    partner,
    contacts: () =>
      db
        .select({ memberId: licenseContacts.memberId, relationship: licenseContacts.relationship })
        .from(licenseContacts)
        .where(eq(licenseContacts.licenseId, licenseId))
        .orderBy(asc(licenseContacts.relationship)),
    async finds(member: typeof named) {
      const found = await (await world.as(member)).send(searchAccount, { query: { keyWord: licenseId } })
      return JSON.stringify(found.body).includes(licenseId)
    },
    /** The jobs that were queued for the licenses. */
    async work() {
      for (const { queue, data } of world.sent) {
        const { subscriptionId, memberId } = Object(data)
        if (queue === formerOwnersQueue) await leaveLicense(db, { subscriptionId, memberId })
      }
    },
  }
}

type World = Awaited<ReturnType<typeof wronglyHeld>>

const corrections: [string, (world: World) => Promise<unknown>][] = [
  [
    'link-customer',
    async (world) => {
      await world.read()
      expect(await world.linkCustomer(world.payer)).toMatchObject({ code: 0 })
    },
  ],
  [
    'link-customer before it is read',
    async (world) => {
      expect(await world.linkCustomer(world.payer)).toMatchObject({ code: 0 })
      await world.read()
    },
  ],
  [
    'the vendor’s key at the subscription',
    async (world) => {
      await world.read()
      await world.stripe.subscriptions.update(world.sid, { metadata: { memberId: world.payer.id } })
      await world.read()
    },
  ],
]

test.each(corrections)('whom a file had wrongly named is nothing to the license after %s', async (_by, correct) => {
  await using world = await wronglyHeld()
  const { named, payer, partner } = world
  expect(await world.finds(named)).toBe(true)
  await correct(world)
  await world.work()
  expect(await world.contacts()).toEqual([{ memberId: partner.id, relationship: 'Partner' }])
  expect([await world.finds(named), await world.finds(payer)]).toEqual([false, true])
})
