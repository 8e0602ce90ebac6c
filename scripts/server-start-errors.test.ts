import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newEmptyDatabase } from '@atrium/server-kit/test-database.ts'
import { expect, test } from 'vitest'
import { newDatabaseBefore } from '../apps/account-server/src/test/migrations.ts'
import { bareEnvironment } from '../packages/server-kit/src/test-environment.ts'
import { projectFolder } from './start/data-directory.ts'

/** Runs a server that cannot start. @returns its exit code and its output */
function failedStart(
  app: 'account-server' | 'sso' | 'sandbox',
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
) {
  const main = join(projectFolder, 'apps', app, 'src/main.ts')
  const env = {
    ...bareEnvironment,
    DATABASE_URL: databaseUrl,
    // Avoids the need for a built page.
    WEB_DEV_URL: 'http://localhost:1',
    LOG_LEVEL: 'silent',
    ...settings,
  }
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, [main], { env, timeout: 50_000 }, (error, _output, said) =>
      resolve({ code: error?.code, said }),
    )
  })
}

test('a host that does not exist is reported in one line', async () => {
  expect(await failedStart('account-server', 'postgres://atrium:secret@database.invalid/atrium')).toEqual({
    code: 1,
    said: 'The host database.invalid cannot be found. Is its name right in DATABASE_URL?\n',
  })
})

test.each([
  [{ ATRIUM_HOST: 'nohost.invalid' }, 'The setting ATRIUM_HOST is not valid: the host nohost.invalid cannot be found.'],
  [
    { ATRIUM_HOST: '203.0.113.9' },
    'The setting ATRIUM_HOST is not valid: this machine does not have the address 203.0.113.9.',
  ],
  [
    { TRUSTED_PROXIES: 'nginx' },
    'The setting TRUSTED_PROXIES is not valid: must be IP addresses or networks, such as 127.0.0.1 or 10.0.0.0/8.',
  ],
])('%j is reported in one line', async (settings, sentence) => {
  await using database = await newEmptyDatabase()
  expect(await failedStart('account-server', database.url, { ATRIUM_PORT: '25871', ...settings })).toEqual({
    code: 1,
    said: `${sentence} See .env.example.\n`,
  })
})

test.each(['account-server', 'sso'] as const)('certificates that %s cannot read are one sentence', async (app) => {
  expect(await failedStart(app, 'postgres://x', { NODE_EXTRA_CA_CERTS: '/nowhere/ca.crt' })).toEqual({
    code: 1,
    // After a line of Node's own.
    said: expect.stringMatching(
      /\nThe setting NODE_EXTRA_CA_CERTS is not valid: the file \/nowhere\/ca\.crt cannot be read \(ENOENT\)\. It names a file with the certificates \(PEM\) of an authority of your own\.\n$/,
    ),
  })
})

test('a database without free connections is reported in one line', async () => {
  await using database = await newEmptyDatabase()
  const role = `crowded_${Date.now()}`
  const { pathname, host } = new URL(database.url)
  await database.db.$client.query(`create role ${role} login password 'crowded' connection limit 0`)
  await database.db.$client.query(`grant all on database ${pathname.slice(1)} to ${role}`)

  try {
    expect(await failedStart('account-server', `postgres://${role}:crowded@${host}${pathname}`)).toEqual({
      code: 1,
      said: `The database of DATABASE_URL has no connection left: too many connections for role "${role}". docs/operations.md says how many are needed.\n`,
    })
  } finally {
    await database.db.$client.query(`drop owned by ${role}`)
    await database.db.$client.query(`drop role ${role}`)
  }
})

test.each([
  ['account-server', 'account'],
  ['sandbox', 'sandbox'],
] as const)('a migration of %s that fails names the program, and says what the database says', async (app, schema) => {
  await using database = await newEmptyDatabase()
  await database.db.$client.query(`create schema ${schema}`)

  expect(await failedStart(app, database.url)).toEqual({
    code: 1,
    said: `The tables of ${app} could not be migrated, and are as they were: schema "${schema}" already exists.\n`,
  })
})

test('a member with two identities stops an upgrade: the error names them, and the manual’s statements fix it', async () => {
  await using database = await newDatabaseBefore('0007_one_identity_a_member')
  const { $client: client } = database.db
  const id = '0190a000-0000-7000-8000-000000000001'
  await client.query(`insert into account.members (id, email, email_verified, created_at) values
    ('${id}', 'ada@x.test', true, now()), (gen_random_uuid(), 'bo@x.test', true, now())`)
  await client.query(`insert into account.identities (provider, subject, member_id, created_at)
    select 'cas', 'of ' || email, id, now() from account.members
    union select 'cas', 'second of ada', '${id}', now() + interval '1 day'`)
  await client.query(`insert into account.sessions (token_hash, member_id, subject, ticket_hash, created_at, seen_at)
    select subject, member_id, subject, subject, now(), now() from account.identities`)

  expect(await failedStart('account-server', database.url)).toEqual({
    code: 1,
    said: `The tables of account-server could not be migrated, and are as they were: could not create unique index "identities_member". Key (member_id, provider)=(${id}, cas) is duplicated.\n`,
  })

  const manual = await readFile(join(projectFolder, 'docs/operations.md'), 'utf8')
  const [list = '', repair = ''] = [...manual.matchAll(/```sql\n(.*?)```/gs)].map(([, statements]) => statements)
  const { rows } = await client.query(list)
  expect(rows).toMatchObject([
    { email: 'ada@x.test', subject: 'of ada@x.test' },
    { email: 'ada@x.test', subject: 'second of ada' },
  ])
  await client.query(repair.replaceAll('SUBJECT', 'second of ada'))
  for (const table of ['identities', 'sessions']) {
    const left = await client.query(`select subject from account.${table} order by subject`)
    expect(left.rows).toEqual([{ subject: 'of ada@x.test' }, { subject: 'of bo@x.test' }])
  }
  await database.migrate()
})
