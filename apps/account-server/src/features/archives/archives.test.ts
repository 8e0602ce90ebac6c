import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { downloadArchive } from '@atrium/contract/archives.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newWorld, type TestMember } from '../../test/world.ts'
import { archiveContent, downloadableArchive, memberArchive } from './archives.queries.ts'
import { archiveParts } from './archives.tables.ts'
import { finishArchive, newArchive, storeFile } from './archives.writes.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const now = new Date('2026-06-01T09:30:00Z')
const tomorrow = new Date('2026-06-02T09:30:00Z')
const kind = 'personal_data'

const archiveOf = ({ db }: World, { id: memberId }: TestMember) =>
  db.transaction((tx) => newArchive(tx, { memberId, kind, now }))

/** Stores a file as one run of a job. @returns whether it became the archive */
async function store({ db }: World, archiveId: string, content: Buffer): Promise<boolean> {
  const stored = await storeFile(db, archiveId, Readable.from([content]))
  return db.transaction((tx) => finishArchive(tx, stored, tomorrow))
}

function download({ request }: World, { cookie }: Pick<TestMember, 'cookie'>, id: string) {
  return request({ url: downloadArchive.path.replace(':id', id), headers: { cookie } })
}

test('a file of many pieces is downloaded whole', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const content = randomBytes(3_000_000)
  const { id } = await archiveOf(world, member)
  await store(world, id, content)

  expect(await world.db.$count(archiveParts, eq(archiveParts.archiveId, id))).toBe(6)
  const { headers, rawPayload } = await download(world, member, id)
  expect(content.equals(rawPayload)).toBe(true)
  expect(headers).toMatchObject({ 'content-type': 'application/zip', 'content-length': '3000000' })
})

test('of two runs at once, one file is left', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { id } = await archiveOf(world, member)
  const files = [Buffer.alloc(700_000, 1), Buffer.alloc(700_000, 2)]

  const outcomes = await Promise.all(files.map((file) => store(world, id, file)))

  expect(outcomes.toSorted()).toEqual([false, true])
  expect(await world.db.$count(archiveParts, eq(archiveParts.archiveId, id))).toBe(2)
  const { rawPayload } = await download(world, member, id)
  expect(files[outcomes.indexOf(true)]?.equals(rawPayload)).toBe(true)
})

test('a download breaks off if the file is deleted meanwhile, so that nobody takes a part for the whole', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { id } = await archiveOf(world, member)
  await store(world, id, randomBytes(700_000))
  const archive = await downloadableArchive(world.db, member, { id, now })
  if (!archive) throw new Error('no archive')

  const pieces = archiveContent(world.db, archive)
  expect((await pieces.next()).value).toHaveLength(512 * 1024)
  await archiveOf(world, member)
  await expect(pieces.next()).rejects.toThrow('was deleted')
})

test('another member’s archive looks like none at all, and its owner still has it', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  const { id } = await archiveOf(world, member)
  await store(world, id, Buffer.from('PK'))

  const foreign = await download(world, other, id)
  const missing = await download(world, other, '00000000-0000-4000-8000-000000000000')

  const bodies = [foreign, missing].map((reply) => ({ ...reply.json(), requestId: '' }))
  expect([foreign.statusCode, missing.statusCode]).toEqual([404, 404])
  expect(bodies[0]).toEqual(bodies[1])
  expect(await memberArchive(world.db, other, { kind, now })).toBeUndefined()
  expect((await download(world, member, id)).body).toBe('PK')
})

test('a new archive replaces the member’s own of its kind, and no other', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  const [mine, theirs] = [await archiveOf(world, member), await archiveOf(world, other)]
  for (const { id } of [mine, theirs]) await store(world, id, Buffer.from('PK'))

  await archiveOf(world, member)

  expect((await download(world, member, mine.id)).statusCode).toBe(404)
  expect(await world.db.$count(archiveParts, eq(archiveParts.archiveId, mine.id))).toBe(0)
  expect((await download(world, other, theirs.id)).statusCode).toBe(200)
})

test('what has expired is neither shown nor downloaded', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { id } = await archiveOf(world, member)
  await store(world, id, Buffer.from('PK'))
  world.at('2026-06-02T09:30:01Z')
  const cookie = await world.session(member.id)

  expect((await download(world, { cookie }, id)).statusCode).toBe(404)
  expect(await memberArchive(world.db, member, { kind, now: new Date('2026-06-02T09:30:01Z') })).toBeUndefined()
})
