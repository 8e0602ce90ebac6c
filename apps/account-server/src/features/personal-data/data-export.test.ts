import { downloadArchive } from '@atrium/contract/archives.ts'
import { type DataExport, readDataExport, requestDataExport } from '@atrium/contract/data-export.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { memberWithEverything } from '../../test/personal-data.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { archiveParts } from '../archives/archives.tables.ts'
import { dataExportQueue, makeDataExport } from './data-export.service.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const signOn = { account: [{ name: 'Ada Quennell' }] }

async function worldWithSso(accountData: World['deps']['sso']['accountData'] = async () => signOn) {
  const world = await newWorld()
  world.deps.sso = { ...world.deps.sso, accountData }
  return world
}

async function request(world: World, member: TestMember): Promise<DataExport> {
  const { body } = await world.as(member).send(requestDataExport, {})
  if (!body.dataExport) throw new Error('no export')
  return body.dataExport
}

async function latest(world: World, member: TestMember) {
  return (await world.as(member).send(readDataExport, {})).body.dataExport
}

function download({ request: send }: World, { cookie }: Pick<TestMember, 'cookie'>, id: string) {
  return send({ url: downloadArchive.path.replace(':id', id), headers: { cookie } })
}

function jobsOf({ sent }: World) {
  return sent.filter(({ queue }) => queue === dataExportQueue).map(({ data }) => data)
}

test('a member downloads everything that is stored about them, here and at the single sign-on', async () => {
  await using world = await worldWithSso()
  const { member, email, orderNumber } = await memberWithEverything(world)

  const { id, file } = await request(world, member)
  expect(file).toBeNull()
  expect(jobsOf(world)).toEqual([{ archiveId: id }])
  expect((await download(world, member, id)).statusCode).toBe(404)
  await makeDataExport(world.deps, id)

  const reply = await download(world, member, id)
  expect(await latest(world, member)).toMatchObject({
    id,
    file: { size: reply.rawPayload.length, expiresAt: '2026-06-02T09:30:00.000Z' },
  })
  expect(reply.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="account-data-2026-06-01.zip"',
    'content-length': String(reply.rawPayload.length),
    'cache-control': 'no-store',
  })
  const files = unzipSync(reply.rawPayload)
  expect(Object.keys(files)).toEqual(['account.json', 'sign-on.json', `invoices/${orderNumber}-invoice.pdf`])
  const text = (name: string) => Buffer.from(files[name] ?? []).toString()
  expect(JSON.parse(text('account.json'))).toMatchObject({ profile: [{ email }], orders: [{ orderNumber }] })
  expect(JSON.parse(text('sign-on.json'))).toEqual(signOn)
  expect(text(`invoices/${orderNumber}-invoice.pdf`)).toBe('%PDF')
})

test('the member is emailed once that it is there, and one activity row says that it was requested', async () => {
  await using world = await worldWithSso()
  const { member, email } = await memberWithEverything(world)
  const { id } = await request(world, member)

  await makeDataExport(world.deps, id)
  await makeDataExport(world.deps, id)

  const emails = world.sent.filter(({ queue }) => queue === 'mail')
  expect(emails).toMatchObject([{ data: { to: email, subject: 'Your Folio data is ready to download' } }])
  const rows = await world.db.select().from(activity).where(eq(activity.target, id))
  expect(rows).toMatchObject([{ action: 'data_export.requested', actor: member.id }])
})

test('requested again, one that is being prepared is joined, and one that is ready is replaced', async () => {
  await using world = await worldWithSso()
  const { member } = await memberWithEverything(world)
  const [first, second] = [await request(world, member), await request(world, member)]
  expect(second.id).toBe(first.id)
  await makeDataExport(world.deps, first.id)

  const third = await request(world, member)

  expect(third.id).not.toBe(first.id)
  expect(jobsOf(world)).toEqual([{ archiveId: first.id }, { archiveId: third.id }])
  expect((await download(world, member, first.id)).statusCode).toBe(404)
  expect(await world.db.$count(archiveParts, eq(archiveParts.archiveId, first.id))).toBe(0)
})

test('one that could not be made within an hour is not waited for: the next request prepares another', async () => {
  await using world = await worldWithSso()
  const { member } = await memberWithEverything(world)
  const { id } = await request(world, member)
  world.at('2026-06-01T10:30:01Z')
  const again = await request(world, { ...member, cookie: await world.session(member.id) })
  expect(again.id).not.toBe(id)
  expect(jobsOf(world)).toHaveLength(2)
})

test('while the single sign-on is away, the job fails and is tried again', async () => {
  let isAway = true
  await using world = await worldWithSso(async () => {
    if (isAway) throw new Problem('sign_on_unreachable')
    return signOn
  })
  const { member } = await memberWithEverything(world)
  const { id } = await request(world, member)

  await expect(makeDataExport(world.deps, id)).rejects.toThrow('sign_on_unreachable')
  expect(await latest(world, member)).toMatchObject({ id, file: null })
  isAway = false
  await makeDataExport(world.deps, id)
  expect(await latest(world, member)).toMatchObject({ file: { size: expect.any(Number) } })
})

test('with a CAS server of the vendor, the file has what is stored here', async () => {
  await using world = await worldWithSso(async () => undefined)
  const { member } = await memberWithEverything(world)
  const { id } = await request(world, member)
  await makeDataExport(world.deps, id)
  expect(Object.keys(unzipSync((await download(world, member, id)).rawPayload))).not.toContain('sign-on.json')
})

test('the sixth request of a day is refused, with the time to wait', async () => {
  await using world = await worldWithSso()
  const member = await world.member()
  for (let count = 0; count < 5; count += 1) await request(world, member)
  const { status, body, headers } = await world.as(member).send(requestDataExport, {})
  expect([status, body.code]).toEqual([429, 'too_often'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(80_000)
})
