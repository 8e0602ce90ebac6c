import { Readable } from 'node:stream'
import type { Remark } from '@atrium/server-kit/record-lines.ts'
import { usedMemory } from '@atrium/server-kit/test-memory.ts'
import { and, eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '../../db/members.tables.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { catalog, productByCode } from '../catalog/catalog.queries.ts'
import { offlineOrders } from '../orders/orders.tables.ts'
import { importFile, reasonOf } from './import-file.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const order = {
  type: 'offline-order',
  orderNumber: 'NS-1',
  email: 'buyer@import.test',
  lines: ['Editor'],
  amount: 1000,
  currency: 'EUR',
  date: '2026-05-01T00:00:00+02:00',
}
const member = { type: 'member', email: 'buyer@import.test', firstName: 'Bea', country: 'DE' }
const product = {
  type: 'product',
  code: 'FPM',
  name: 'Folio PDF Editor for Mac',
  sku: 'editor',
  prices: [{ term: 'perpetual', amount: 15900, currency: 'USD' }],
  flags: ['additionalLicenses'],
  downloads: [{ platform: 'mac', url: 'https://downloads.folio.test/fpm.dmg' }],
}

async function load(world: World, records: readonly unknown[], { dryRun = false, fileName = 'test.ndjson' } = {}) {
  const refusals: Remark[] = []
  const lines = records.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
  const result = await importFile(world.db, {
    input: Readable.from([Buffer.from(lines.join('\n'))]),
    fileName,
    now: new Date('2026-06-01T00:00:00Z'),
    dryRun,
    onRefused: (refusal) => refusals.push(refusal),
  })
  return { ...result, refusals }
}

test('importing a file again has no double effect', async () => {
  await using world = await newWorld()
  const twice = [
    await load(world, [member, order, product]),
    await load(world, [
      { ...member, firstName: 'Beate' },
      { ...order, amount: 900 },
    ]),
  ]

  expect(twice.map(({ applied, refused }) => [applied, refused])).toEqual([
    [3, 0],
    [2, 0],
  ])
  const [buyer] = await world.db.select().from(members).where(eq(members.email, member.email))
  expect(buyer).toMatchObject({ firstName: 'Beate', countryCode: 'DE', emailVerified: true })
  expect(await world.db.select().from(offlineOrders).where(eq(offlineOrders.orderNumber, 'NS-1'))).toMatchObject([
    { memberId: buyer?.id, amount: 900, date: new Date('2026-04-30T22:00:00Z') },
  ])
  expect(await productByCode(world.db, 'FPM')).toMatchObject({
    name: product.name,
    flags: ['additionalLicenses'],
    cap: { cap: 999, scope: 'subscription' },
  })
  expect((await catalog(world.db)).map(({ code }) => code)).toContain('FPM')
})

test('each refused line is reported by number and field, and the others stay applied', async () => {
  await using world = await newWorld()
  const { applied, refused, refusals } = await load(world, [
    { type: 'member', email: 'good1@import.test' },
    'no json',
    { type: 'member', email: 'not an address' },
    '',
    { type: 'dragon' },
    { type: 'member', email: 'nul@import.test', firstName: 'a\u0000b' },
    { type: 'member', email: 'long@import.test', lastName: 'x'.repeat(33) },
    { ...order, orderNumber: 'NS-foreign', email: 'nobody@import.test' },
    { ...order, orderNumber: 'NS-date', date: 'yesterday' },
    { ...product, code: 'BAD', downloads: [{ platform: 'mac', url: 'javascript:alert(1)' }] },
    { ...product, code: 'BAD2', downloads: [{ platform: 'mac', url: 'http://downloads.folio.test/x' }] },
    { type: 'member', email: 'good2@import.test' },
  ])

  expect([applied, refused]).toEqual([2, 9])
  expect(refusals.map(({ line, field }) => [line, field])).toEqual(
    [
      [2, ''],
      [3, 'email'],
      [5, 'type'],
      [6, 'firstName'],
      [7, 'lastName'],
      [9, 'date'],
      [10, 'downloads.0.url'],
      [11, 'downloads.0.url'],
      [8, 'email'],
    ].sort((a, b) => refusals.findIndex((r) => r.line === a[0]) - refusals.findIndex((r) => r.line === b[0])),
  )
  expect(await world.db.$count(members, like(members.email, 'good%@import.test'))).toBe(2)
})

test('a line that only the database refuses does not affect its neighbors', async () => {
  await using world = await newWorld()
  const { applied, refusals } = await load(world, [
    member,
    { ...order, orderNumber: 'NS-a' },
    { ...order, orderNumber: 'NS-b', date: '0000-01-01T00:00:00Z' },
    { ...order, orderNumber: 'NS-c' },
  ])

  expect(applied + refusals.length).toBe(4)
  expect(await world.db.$count(offlineOrders, like(offlineOrders.orderNumber, 'NS-c'))).toBe(1)
})

test('a time out of range is refused for its line only', async () => {
  await using world = await newWorld()
  const { applied, refusals } = await load(world, [
    { type: 'member', email: 'before@far.test' },
    { type: 'member', email: 'far@far.test', grantLoginExpireTime: Number.MAX_SAFE_INTEGER },
    { type: 'member', email: 'after@far.test' },
  ])

  expect(applied).toBe(2)
  expect(refusals).toMatchObject([{ line: 2, field: 'grantLoginExpireTime' }])
  expect(await world.db.$count(members, like(members.email, '%@far.test'))).toBe(2)
})

test('a value that cannot be written is a refusal, a lost connection is not', () => {
  const unwritable = new Error('Failed query', { cause: new RangeError('Invalid time value') })
  expect(reasonOf(unwritable)).toBe('has a value out of range')

  const lost = new Error('Failed query', { cause: new Error('Connection terminated unexpectedly') })
  expect(() => reasonOf(lost)).toThrow(lost)
})

test('of several lines with the same key the last one counts', async () => {
  await using world = await newWorld()
  await load(world, [
    { type: 'member', email: 'same@import.test', firstName: 'One' },
    { type: 'member', email: 'SAME@import.test', firstName: 'Two' },
  ])
  expect(await world.db.select().from(members).where(eq(members.email, 'same@import.test'))).toMatchObject([
    { firstName: 'Two' },
  ])
})

test('a dry run sees earlier lines of the file, and changes nothing', async () => {
  await using world = await newWorld()
  const { applied, refused } = await load(
    world,
    [
      { type: 'member', email: 'dry@import.test' },
      { ...order, orderNumber: 'NS-dry', email: 'dry@import.test' },
      { ...order, orderNumber: 'NS-dry2', email: 'absent@import.test' },
    ],
    { dryRun: true, fileName: 'dry.ndjson' },
  )

  expect([applied, refused]).toEqual([2, 1])
  expect(await world.db.$count(members, eq(members.email, 'dry@import.test'))).toBe(0)
  expect(await world.db.$count(activity, eq(activity.target, 'dry.ndjson'))).toBe(0)
})

test('a file has one activity row, not one per line', async () => {
  await using world = await newWorld()
  await load(
    world,
    [
      { type: 'member', email: 'row1@import.test' },
      { type: 'member', email: 'row2@import.test' },
    ],
    { fileName: 'rows.ndjson' },
  )
  const rows = await world.db
    .select()
    .from(activity)
    .where(and(eq(activity.target, 'rows.ndjson')))
  expect(rows).toMatchObject([{ action: 'import.applied', actorKind: 'vendor', details: { applied: 2, refused: 0 } }])
})

test('support access may be in seconds or, with a trailing 000, in milliseconds', async () => {
  await using world = await newWorld()
  await load(world, [
    { type: 'member', email: 's@import.test', grantLoginExpireTime: 1_790_000_000 },
    { type: 'member', email: 'ms@import.test', grantLoginExpireTime: 1_790_000_000_000 },
    { type: 'member', email: 'none@import.test', grantLoginExpireTime: 0 },
  ])
  const rows = await world.db.select().from(members).where(like(members.email, '%s@import.test'))
  expect(rows.map((row) => row.supportAccessUntil?.getTime())).toEqual([1_790_000_000_000, 1_790_000_000_000])
})

test('a hundred thousand lines are read in constant memory', async () => {
  await using world = await newWorld()
  const count = 100_000
  let most = 0
  function* lines() {
    for (let index = 0; index < count; index += 1) {
      if (index % 20_000 === 19_999) most = Math.max(most, usedMemory() - before)
      yield `${JSON.stringify({ type: 'member', email: `bulk${index % 1000}@import.test`, company: 'x'.repeat(100) })}\n`
    }
  }
  const before = usedMemory()
  const result = await importFile(world.db, {
    input: Readable.from(lines()),
    fileName: 'bulk.ndjson',
    now: new Date(),
    dryRun: false,
    onRefused: () => undefined,
  })

  expect(result).toEqual({ applied: count, refused: 0, warnings: 0, erased: 0 })
  // The file has 15 MB, and several times that as records.
  expect(most).toBeLessThan(40_000_000)
})

test('empty fields change nothing, and access that a member has withdrawn stays withdrawn', async () => {
  await using world = await newWorld()
  const line = {
    type: 'member',
    email: 'edits@import.test',
    firstName: 'Ed',
    phone: '030',
    grantLoginExpireTime: 1_790_000_000,
  }
  await load(world, [line])
  await world.db
    .update(members)
    .set({ firstName: 'Edited', company: 'Own', supportAccessUntil: null })
    .where(eq(members.email, line.email))

  await load(world, [{ ...line, firstName: undefined, phone: '040' }])

  expect(await world.db.select().from(members).where(eq(members.email, line.email))).toMatchObject([
    { firstName: 'Edited', company: 'Own', phone: '040', supportAccessUntil: null },
  ])
})
