import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bareEnvironment } from '../../packages/server-kit/src/test-environment.ts'
import { projectFolder } from './data-directory.ts'
import { environmentBeside } from './run-with-database.ts'
import { trialShopSecret } from './settings.ts'

/** `npm run members`, beside an `npm start` whose PostgreSQL was this process. */
async function membersBeside(pid: number) {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-beside-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await mkdir(join(directory, 'postgresql'))
  await writeFile(join(directory, 'postgresql/postmaster.pid'), `${pid}\n${directory}\n0\n1\n\n127.0.0.1\n`)
  const parameters = [join(projectFolder, 'scripts/members.ts'), 'link', 'a@b.c', 'subject']
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    // Elsewhere, so that a developer's .env plays no part.
    const options = { cwd: directory, env: { ...bareEnvironment, ATRIUM_DATA_DIR: directory } }
    execFile(process.execPath, parameters, options, (error, _output, said) => resolve({ code: error?.code, said }))
  })
}

test('the database of an npm start that runs is the one to work on', async () => {
  expect(await membersBeside(process.pid)).toEqual({
    code: 3,
    said: 'The database of DATABASE_URL does not answer. Is it running? Nothing was changed.\n',
  })
})

test('a start that was killed has no database: nobody says that it does not answer', async () => {
  expect(await membersBeside(999_999_999)).toEqual({
    code: 2,
    said: 'Set DATABASE_URL, or run npm start beside this: there is no database to work on.\n',
  })
})

test('a command beside an npm start has its providers, its clock and the secret of its shop, unless told otherwise', () => {
  const env = { ...bareEnvironment, ATRIUM_SANDBOX_PORT: '4002', LATE_BILLING_DAYS: '5' }
  expect(environmentBeside('postgres://localhost/atrium', env)).toMatchObject({
    ...{ DATABASE_URL: 'postgres://localhost/atrium', STRIPE_API_URL: 'http://localhost:4002', LATE_BILLING_DAYS: '5' },
    ...{ PAYPAL_API_URL: 'http://localhost:4002', BUSINESS_CLOCK: 'movable', SHOP_SIGNING_SECRET: trialShopSecret },
  })
})
