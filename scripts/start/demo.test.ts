import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@atrium/server-kit/database.ts'
import { newTestDatabase } from '@atrium/server-kit/test-database.ts'
import pg from 'pg'
import { expect, test } from 'vitest'
import { projectFolder } from './data-directory.ts'
import { loadDemoVendor } from './demo.ts'

const accountsCounted = "select count(*)::int from sso.users where email like '%@folio.test'"
/** At the sandbox. */
const google = {
  GOOGLE_CLIENT_ID: 'folio-google',
  GOOGLE_CLIENT_SECRET: 'secret',
  GOOGLE_ISSUER: 'http://localhost:3002/identity/google',
}
const membersCounted = 'select count(*)::int from account.members'

async function newStart() {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-demo-'))
  const database = await newTestDatabase({
    template: 'atrium_test_account',
    migrate: (url) => migrate(url, join(projectFolder, 'apps/account-server/migrations'), 'account'),
  })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const said: string[] = []

  return {
    folder,
    said,
    query: (text: string) => client.query(text),
    /** As sso does when it starts, before anything is loaded. */
    startSso: () => migrate(database.url, join(projectFolder, 'apps/sso/migrations'), 'sso'),
    count: async (text: string): Promise<number> => (await client.query(text)).rows[0]?.count,
    load: (isOwnDatabase: boolean) =>
      loadDemoVendor({
        directory: folder,
        databaseUrl: database.url,
        isOwnDatabase,
        providers: undefined,
        env: { ...process.env, DATABASE_URL: database.url, ...google },
        say: (sentence) => said.push(sentence),
      }),
    async [Symbol.asyncDispose]() {
      await client.end()
      await database[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const someMember =
  "insert into account.members (email, email_verified, created_at) values ('buyer@vendor.test', true, now())"

test('the demo is not loaded into a vendor’s own database with members, and a message says so', async () => {
  await using start = await newStart()
  await start.query(someMember)

  expect(await start.load(true)).toBe(false)

  expect(start.said).toEqual(['The database of DATABASE_URL has members already: the demo vendor is not loaded.'])
  expect(await start.count(membersCounted)).toBe(1)
  // No accounts with the public password either.
  expect(await readdir(start.folder)).toEqual([])
  expect((await start.query("select to_regclass('sso.users') as users")).rows).toEqual([{ users: null }])
})

test('the demo is loaded into the vendor’s own empty database, once', async () => {
  await using start = await newStart()
  await start.startSso()

  expect(await start.load(true)).toBe(true)
  expect(await start.count(membersCounted)).toBe(114)
  expect(await start.count(accountsCounted)).toBe(15)

  const linked = `select email from sso.accounts where provider_id = 'google' and authority = '${google.GOOGLE_ISSUER}'`
  expect((await start.query(linked)).rows).toEqual([{ email: 'linus@folio.test' }])

  await start.query("delete from account.members where email = 'noor@folio.test'")
  expect(await start.load(true)).toBe(true)
  expect(await start.count(membersCounted)).toBe(113)
  expect(start.said).toEqual([])
})

test('after an interrupted first start, the next start loads the demo into the embedded database', async () => {
  await using start = await newStart()
  await start.startSso()
  await start.query(someMember.replace('buyer@vendor.test', 'ada@folio.test'))

  expect(await start.load(false)).toBe(true)

  expect(await start.count(membersCounted)).toBe(114)
  expect(await start.count(accountsCounted)).toBe(15)
})
