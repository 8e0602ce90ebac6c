import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { listLicenses } from '@atrium/contract/licenses.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newContact, newLicense, newProduct, newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { licenseContacts, licenses } from '../licenses/licenses.tables.ts'
import { licensesOfContacts, writeContacts } from '../licenses/licenses.writes.ts'
import { importFile } from './import-file.ts'

type World = Awaited<ReturnType<typeof newWorld>>

async function load(world: World, records: readonly object[]) {
  const { applied, refused } = await importFile(world.db, {
    input: Readable.from([records.map((record) => JSON.stringify(record)).join('\n')]),
    fileName: 'licenses.ndjson',
    now: new Date('2026-06-01T00:00:00Z'),
    dryRun: false,
    onRefused: () => undefined,
  })
  expect(refused).toBe(0)
  return applied
}

/** Lines of licenses of two products, and one contact line for their Holder. */
async function held(world: World) {
  const [editor, sign] = [await newProduct(world, { position: 1 }), await newProduct(world, { position: 2 })]
  const holder = await world.member()
  const line = (licenseId: string, created: string) => ({
    type: 'license',
    licenseId,
    productCode: editor.code,
    seats: 3,
    expirationDate: 0,
    created,
    activationMethod: 'keycode',
  })
  const older = line(`L-${randomUUID()}`, '2026-03-01T00:00:00Z')
  const newer = line(`L-${randomUUID()}`, '2026-04-01T00:00:00Z')
  const contacts = [older, newer].map(({ licenseId }) => ({
    type: 'license-contact',
    licenseId,
    email: holder.email,
    relationship: 'Holder',
    userRole: 'bill',
  }))
  await load(world, [older, newer, ...contacts])
  return { editor, sign, holder, older, newer, contacts }
}

/** The member's list, tab by tab. */
async function listed(world: World, member: TestMember, query: object = {}) {
  const { body } = await world.as(member).send(listLicenses, { query })
  const tabs = Object.keys(body.licenses).map(async (sku) => {
    const tab = await world.as(member).send(listLicenses, { query: { ...query, sku } })
    return [sku, tab.body.licenses[sku]?.list.map(({ licenseId }) => licenseId)] as const
  })
  return Object.fromEntries(await Promise.all(tabs))
}

/** Contacts whose denormalized fields differ from their license. */
async function strayContacts({ db }: World) {
  const { rows } = await db.execute(sql`
    select c.license_id from ${licenseContacts} c join ${licenses} l on l.id = c.license_id
    where (c.subscription_id, c.product_code, c.expires_at, c.created_at, c.revoked_at, c.activation_method)
      is distinct from (l.subscription_id, l.product_code, l.expires_at, l.created_at, l.revoked_at, l.activation_method)`)
  return rows
}

test('a license imported again with another product or date moves in the lists of all its contacts', async () => {
  await using world = await newWorld()
  const { editor, sign, holder, older, newer } = await held(world)
  const partner = await world.member()
  await newContact(world, older.licenseId, partner, { relationship: 'Partner' })
  expect(await listed(world, holder)).toEqual({ [editor.sku]: [newer.licenseId, older.licenseId] })

  await load(world, [{ ...older, created: '2026-05-01T00:00:00Z' }])
  expect(await listed(world, holder)).toEqual({ [editor.sku]: [older.licenseId, newer.licenseId] })
  expect(await listed(world, holder, { range: 'three-month' })).toEqual({
    [editor.sku]: [older.licenseId, newer.licenseId],
  })

  await load(world, [{ ...older, productCode: sign.code, created: '2026-01-01T00:00:00Z' }])
  expect(await listed(world, holder)).toEqual({ [editor.sku]: [newer.licenseId], [sign.sku]: [older.licenseId] })
  expect(await listed(world, partner)).toEqual({ [sign.sku]: [older.licenseId] })
  expect(await listed(world, holder, { range: 'three-month' })).toEqual({
    [editor.sku]: [newer.licenseId],
    [sign.sku]: [],
  })
  expect(await strayContacts(world)).toEqual([])
})

test('a license imported again as ended, revoked or activated by e-mail is listed as such', async () => {
  await using world = await newWorld()
  const { editor, holder, older, newer } = await held(world)
  const valid = (...ids: string[]) => ({ [editor.sku]: ids })
  expect(await listed(world, holder, { status: 'valid' })).toEqual(valid(newer.licenseId, older.licenseId))

  await load(world, [{ ...older, expirationDate: Date.parse('2026-05-01T00:00:00Z') / 1000 }])
  expect(await listed(world, holder, { status: 'valid' })).toEqual(valid(newer.licenseId))
  await load(world, [older, { ...newer, revoked: '2026-05-01T00:00:00Z' }])
  expect(await listed(world, holder, { status: 'valid' })).toEqual(valid(older.licenseId))
  await load(world, [newer, { ...older, activationMethod: 'email' }])
  expect(await listed(world, holder, { from: 'device' })).toEqual(valid(newer.licenseId))
  expect(await strayContacts(world)).toEqual([])
})

test('a license that is moved to a subscription belongs to its Owner, once, and follows the subscription', async () => {
  await using world = await newWorld()
  const { editor, sign, holder, older, newer, contacts } = await held(world)
  const owner = await world.member()
  const subscription = await newSubscription(world, owner, { productCode: sign.code })
  await newContact(world, older.licenseId, owner, { relationship: 'Partner', userRole: 'commercial' })
  const { productCode, seats, expirationDate, ...subscribed } = older
  await load(world, [{ ...subscribed, subscriptionId: subscription.id }])

  const { body } = await world.as(owner).send(listLicenses, { query: {} })
  expect(body.total).toBe(1)
  expect(body.licenses[sign.sku]?.list).toMatchObject([{ relationship: 'Holder', userRole: 'commercial' }])
  expect(await listed(world, holder)).toEqual({ [editor.sku]: [newer.licenseId], [sign.sku]: [older.licenseId] })
  const theirs = await world.as(holder).send(listLicenses, { query: { sku: sign.sku } })
  expect(theirs.body.licenses[sign.sku]?.list).toMatchObject([{ relationship: 'Contact', userRole: 'bill' }])

  await load(world, [older, ...contacts])
  expect(await listed(world, owner)).toEqual({ [editor.sku]: [older.licenseId] })
  expect(await listed(world, holder)).toEqual({ [editor.sku]: [newer.licenseId, older.licenseId] })
  expect(await strayContacts(world)).toEqual([])
})

test('an import that changes a license waits for a concurrent write of its contacts', async () => {
  await using world = await newWorld()
  const { sign, older } = await held(world)
  const partner = await world.member()
  let changing = Promise.resolve(0)
  let changed = false

  await world.db.transaction(async (tx) => {
    const license = (await licensesOfContacts(tx, [older.licenseId])).get(older.licenseId)
    if (!license) throw new Error('no license')
    changing = load(world, [{ ...older, productCode: sign.code }]).finally(() => {
      changed = true
    })
    while (!changed && !(await isLockAwaited(world)));
    await writeContacts(tx, [{ ...license, memberId: partner.id, relationship: 'Partner', userRole: '' }])
  })
  expect(await changing).toBe(1)
  expect(await listed(world, partner)).toEqual({ [sign.sku]: [older.licenseId] })
  expect(await strayContacts(world)).toEqual([])
})

/** Whether a connection to this database waits for a lock. */
async function isLockAwaited({ db }: World): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return rows.length > 0
}

test('contacts of unchanged licenses are not written again', async () => {
  await using world = await newWorld()
  const { older } = await held(world)
  const written = () =>
    world.db
      .select({ version: sql<string>`xmin` })
      .from(licenseContacts)
      .where(eq(licenseContacts.licenseId, older.licenseId))
  const before = await written()

  await load(world, [older])
  expect(await written()).toEqual(before)
  await load(world, [{ ...older, revoked: '2026-05-01T00:00:00Z' }])
  expect(await written()).not.toEqual(before)
})

test('licenses of an Owner are listed with those where the member is a contact', async () => {
  await using world = await newWorld()
  const { editor, holder, older, newer } = await held(world)
  const subscription = await newSubscription(world, holder, { productCode: editor.code })
  const createdAt = new Date('2026-03-15T00:00:00Z')
  const owned = await newLicense(world, { subscriptionId: subscription.id, createdAt })

  expect(await listed(world, holder)).toEqual({ [editor.sku]: [newer.licenseId, owned.id, older.licenseId] })
  expect(await listed(world, holder, { keyWord: owned.id })).toEqual({ [editor.sku]: [owned.id] })
})
