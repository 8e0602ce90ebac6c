import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '../db/members.tables.ts'
import { keyDevices } from '../features/devices/devices.tables.ts'
import { importFile } from '../features/imports/import-file.ts'
import { eraseMember } from '../features/personal-data/erase-member.service.ts'
import { memberOfPrincipal } from '../features/session/identities.writes.ts'
import { memberWithEverything } from '../test/personal-data.ts'
import { newWorld } from '../test/world.ts'

const secret = 'a secret of at least 32 characters'
const now = new Date('2026-06-01T09:30:00Z')

type World = Awaited<ReturnType<typeof newWorld>>

function load({ db }: Pick<World, 'db'>, records: readonly object[], erasureSecret: string | undefined = secret) {
  return importFile(db, {
    input: Readable.from([Buffer.from(records.map((record) => JSON.stringify(record)).join('\n'))]),
    fileName: 'again.ndjson',
    erasureSecret,
    now,
    dryRun: false,
    onRefused: () => undefined,
  })
}

function eraseFrom({ db }: Pick<World, 'db'>, email: string) {
  return eraseMember(db, { email, secret, pastDueDays: 21, dryRun: false, now })
}

test('lines about an erased person are skipped and counted, the others are applied', async () => {
  await using world = await newWorld()
  const { email, key } = await memberWithEverything(world)
  await eraseFrom(world, email)
  const device = { type: 'key-device', key: key.key, macAddress: '3C:06:30:12:9A:04', pcName: 'quennells-laptop' }

  const result = await load(world, [
    { type: 'member', email: email.toUpperCase(), lastName: 'Quennell' },
    { type: 'member', email: 'other@quennell.test' },
    { ...device, appVersion: '12.1.0', requestDate: '2026-01-01T00:00:00Z' },
  ])

  expect(result).toEqual({ applied: 1, refused: 0, warnings: 0, erased: 2 })
  expect(await world.db.$count(members, eq(members.email, email))).toBe(0)
  expect(await world.db.$count(keyDevices, eq(keyDevices.pcName, 'quennells-laptop'))).toBe(0)
})

test('whoever has signed up again since is imported like anybody else', async () => {
  await using world = await newWorld()
  const { email } = await memberWithEverything(world)
  await eraseFrom(world, email)
  await world.member({ email, lastName: '' })
  expect(await load(world, [{ type: 'member', email, lastName: 'Again' }])).toMatchObject({ applied: 1, erased: 0 })
})

test('without the secret of the erasures nothing is imported', async () => {
  await using world = await newWorld()
  const { email } = await memberWithEverything(world)
  await eraseFrom(world, email)
  const records = [{ type: 'member', email }]
  await expect(load(world, records, 'another secret of 32 characters or so')).rejects.toThrow('is not the one')
  await expect(
    importFile(world.db, {
      input: Readable.from([Buffer.from(JSON.stringify({ type: 'member', email }))]),
      fileName: 'x',
      now,
      dryRun: false,
      onRefused: () => undefined,
    }),
  ).rejects.toThrow('ERASURE_SECRET is needed')
  expect(await world.db.$count(members, eq(members.email, email))).toBe(0)
})

test('who loads their page between both parts of an erasure is here again, until its last part', async () => {
  await using world = await newWorld()
  const email = `ada-${randomUUID()}@quennell.test`
  const attributes = { email, firstName: 'Ada', lastName: 'Quennell' }
  const arrive = () =>
    world.db.transaction((tx) =>
      memberOfPrincipal(tx, world.deps, {
        principal: { user: `subject of ${email}`, attributes },
        ...{ emailVerified: true, visitor: { address: '127.0.0.1', requestId: 'r' }, now },
      }),
    )
  const there = () => world.db.$count(members, eq(members.email, email))
  await arrive()
  await eraseFrom(world, email)
  await arrive()
  expect(await there()).toBe(1)
  expect(await eraseFrom(world, email)).toMatchObject({ kind: 'erased' })
  expect(await there()).toBe(0)
  expect(await load(world, [{ type: 'member', email }])).toMatchObject({ applied: 0, erased: 1 })
})
