import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { emailForm } from '@atrium/contract/email.ts'
import {
  type ExitCode,
  exitCodes,
  type OperatorCommand,
  refuseWithoutDatabase,
  runOnDatabase,
  type Surroundings,
} from '@atrium/server-kit/command.ts'
import { DatabaseUrl, readConfig } from '@atrium/server-kit/config.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { openJobSender } from '@atrium/server-kit/job-sender.ts'
import { refuseUnmigrated } from '@atrium/server-kit/migrated.ts'
import { UsageError } from '@atrium/server-kit/usage-error.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { migrationsFolder, migrationsSchema } from '../db/migrations.ts'
import { eraseAccount, exportAddress } from '../features/account-data/account-data.service.ts'
import { endSessionsOfAddress } from '../features/active-sessions/operator-sessions.service.ts'

/** The single sign-on's part of `npm run members -- export`, `-- erase` and `-- sessions`, which runs after account-server's. */
const usage = [
  'Usage:',
  '  npm run members -- export EMAIL --to FOLDER',
  '  npm run members -- erase EMAIL [--dry-run]',
  '  npm run members -- sessions EMAIL [--end]',
].join('\n')
const about = 'The account at the single sign-on of Atrium: the second part of these commands.'
const outcomeUnknown = 'The connection to the database was lost. It is not known whether this was done: run it again.'

const nobody = (email: string) => `Nobody has an account with the address ${email} at the single sign-on.`

const migrations = { program: 'sso', folder: migrationsFolder, table: migrationsSchema }

export const membersCommand: OperatorCommand = { usage, about, options: ['dry-run', 'to', 'end'], main }

async function main(given: string[], { env, print }: Surroundings): Promise<ExitCode> {
  const { name, email, folder, dryRun, isEnd } = readArguments(given)
  refuseWithoutDatabase(env)
  const { DATABASE_URL: url } = readConfig(z.object({ DATABASE_URL: DatabaseUrl }), env)
  const sentenceOf = (trouble?: string) =>
    trouble ? `${trouble} The account at the single sign-on is as it was: run this again.` : outcomeUnknown
  return runOnDatabase(
    { url, applicationName: 'atrium-sso-members', migrations: undefined, sentenceOf },
    async (db) => {
      if (!(await hasAccounts(db))) {
        print(
          'This database has no accounts of Atrium’s single sign-on: what your CAS server stores, or who is signed in there, is not included.',
        )
        return exitCodes.done
      }
      await refuseUnmigrated(db, migrations)
      if (name === 'erase') print(await erase(db, { email, dryRun }))
      else if (name === 'export') print(await writeExport(db, { email, folder }))
      else print(await endSessions(db, { email, isEnd }))
      return exitCodes.done
    },
  )
}

function readArguments(given: string[]) {
  const { positionals, values } = parseArgs({
    args: given,
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      to: { type: 'string', default: '' },
      end: { type: 'boolean', default: false },
    },
  })
  const [name, email = '', ...more] = positionals.map((value) => value.trim())
  const isWhole = name === 'erase' || name === 'sessions' || (name === 'export' && values.to !== '')
  if (!isWhole || !email.includes('@') || more.length > 0) throw new UsageError(usage)
  return { name, email: emailForm(email), folder: values.to, dryRun: values['dry-run'], isEnd: values.end }
}

/** With a CAS server of another vendor there is no sso. */
async function hasAccounts(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`select to_regclass('sso.users') is not null as "isThere"`)
  return rows[0]?.isThere === true
}

/** Like the others, answers with the line to print. */
async function erase(db: Db, { email, dryRun }: { email: string; dryRun: boolean }): Promise<string> {
  await using jobs = await openJobSender(db, { schema: 'sso_jobs', program: 'sso' })
  const rows = await eraseAccount(db, { email, dryRun, jobs })
  const counts = Object.entries(rows).map(([noun, count]) => `${noun} (${count})`)
  if (counts.length === 0) return nobody(email)
  return `Single sign-on, ${dryRun ? 'to be erased' : 'erased'}: ${counts.join(', ')}.`
}

async function endSessions(db: Db, { email, isEnd }: { email: string; isEnd: boolean }): Promise<string> {
  await using jobs = await openJobSender(db, { schema: 'sso_jobs', program: 'sso' })
  const count = await endSessionsOfAddress(db, { email, isEnd, jobs })
  if (count === undefined) return nobody(email)
  return `Sessions at the single sign-on, ${isEnd ? 'ended there and everywhere' : 'with --end they end'}: ${count}.`
}

/** Readable by this user alone. @throws UsageError with what the file system says */
async function writeExport(db: Db, { email, folder }: { email: string; folder: string }): Promise<string> {
  const data = await exportAddress(db, email)
  if (!data) return nobody(email)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, 'sign-on.json'), `${JSON.stringify(data, undefined, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    throw new UsageError(`The export cannot be written: ${error instanceof Error ? error.message : error}`)
  }
  return `Written to ${folder}: sign-on.json.`
}
