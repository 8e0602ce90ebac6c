import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'
import { MemberRecord } from '@atrium/contract/imports/customers.ts'
import { ConfigError } from '@atrium/server-kit/config.ts'
import { migrate, openPatientDatabase } from '@atrium/server-kit/database.ts'
import { linesOf } from '@atrium/server-kit/lines.ts'
import { readSettings } from './config.ts'
import { migrationsFolder, migrationsSchema } from './db/migrations.ts'
import { newAccounts } from './features/accounts/accounts.auth.ts'
import { createAccount } from './features/accounts/accounts.writes.ts'
import { record } from './features/activity/activity.writes.ts'
import { newHashing } from './features/password/hashing.ts'
import { passwordProblem } from './features/password/password.rules.ts'
import { credentialOf } from './features/sign-in/session.queries.ts'

const usage = 'Usage: npm run accounts -- --file FILE.ndjson --password-from VARIABLE'

/** Bytes of a line; no member needs more. */
const longestLine = 1_000_000

/**
 * Makes a verified account with one password for every member of an import file, for a demo or a first trial. Members
 * who have an account are left as they are, so that it can be run again.
 */
try {
  const { made, known } = await makeAccounts(readArguments())
  process.stdout.write(`${made} accounts made, ${known} were there already.\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

function readArguments() {
  const { values } = parseArgs({ options: { file: { type: 'string' }, 'password-from': { type: 'string' } } })
  const { file, 'password-from': variable } = values
  if (!file || !variable) throw new ConfigError([usage])

  const password = process.env[variable] ?? ''
  const fault = passwordProblem(password)
  if (fault) throw new ConfigError([`The password in ${variable} will not do (${fault}).`])
  return { file, password }
}

async function makeAccounts({ file, password }: { file: string; password: string }) {
  const { DATABASE_URL, publicUrl, secret } = readSettings(process.env)
  await migrate(DATABASE_URL, migrationsFolder, migrationsSchema)
  const db = openPatientDatabase({ url: DATABASE_URL, applicationName: 'atrium-sso-accounts' })
  const hashing = newHashing()
  const accounts = await newAccounts({ db, hashing, publicUrl, secret })

  let made = 0
  let known = 0
  try {
    for await (const { email, firstName, lastName } of membersOf(file)) {
      if (await credentialOf(db, email)) {
        known += 1
        continue
      }
      const passwordHash = await hashing.hash(password)
      await db.transaction(async (tx) => {
        const userId = await createAccount(tx, accounts, { email, firstName, lastName, locale: 'en-us', passwordHash })
        if (userId)
          await record(tx, { now: new Date(), action: 'account.created', userId, details: { by: 'operator' } })
      })
      made += 1
    }
  } finally {
    await db.$client.end()
  }
  return { made, known }
}

/** The file is read line by line: it may be larger than memory. Lines about other things are passed over. */
async function* membersOf(file: string) {
  for await (const line of linesOf(createReadStream(file), longestLine)) {
    if ('text' in line && !line.text.includes('"member"')) continue
    const parsed = MemberRecord.safeParse('text' in line ? parseLine(line.text) : undefined)
    if (parsed.success) yield parsed.data
    else process.stderr.write(`Line ${line.number} is no member and was passed over.\n`)
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
