import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'
import { MemberRecord } from '@atrium/contract/imports/customers.ts'
import { ConfigError } from '@atrium/server-kit/config.ts'
import { migrate, openPatientDatabase } from '@atrium/server-kit/database.ts'
import { databaseSentence } from '@atrium/server-kit/database-sentence.ts'
import { linesOf } from '@atrium/server-kit/lines.ts'
import { refuseBrokenText } from '@atrium/server-kit/text.ts'
import { readSsoConfig } from '../config.ts'
import { migrationsFolder, migrationsSchema } from '../db/migrations.ts'
import { newAccounts } from '../features/accounts/accounts.auth.ts'
import { credentialOf } from '../features/accounts/accounts.queries.ts'
import { createAccount } from '../features/accounts/accounts.writes.ts'
import { newHashing } from '../features/accounts/hashing.ts'
import { record } from '../features/activity/activity.writes.ts'
import { passwordProblem } from '../features/password/password.rules.ts'

const usage = 'Usage: npm run accounts -- --file FILE.ndjson --password-from VARIABLE'

/** Bytes of a line; no member needs more. */
const longestLine = 1_000_000

/**
 * Makes a verified account with one password for every member of an import file, for a demo or a first trial. Members
 * who have an account are left as they are, so that it can be run again. Exit codes are those of the import: 1 when a line
 * was passed over, 2 for wrong arguments or settings, 3 for the database.
 */
try {
  const { made, known, passedOver } = await makeAccounts(readArguments())
  process.stdout.write(`Accounts made: ${made}. There already: ${known}. Lines passed over: ${passedOver}.\n`)
  if (passedOver > 0) process.exitCode = 1
} catch (error) {
  const trouble = databaseSentence(error)
  process.stderr.write(`${trouble ?? fileSentence(error) ?? messageOf(error)}\n`)
  process.exitCode = trouble ? 3 : 2
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function fileSentence(error: unknown): string | undefined {
  const path = error instanceof Error && 'path' in error ? String(error.path) : undefined
  return path && `The file ${path} cannot be read: ${messageOf(error)}.`
}

function readArguments() {
  const { values } = parseArgs({ options: { file: { type: 'string' }, 'password-from': { type: 'string' } } })
  const { file, 'password-from': variable } = values
  if (!file || !variable) throw new ConfigError([usage])

  const password = process.env[variable]
  if (!password) throw new ConfigError([`The environment has no variable ${variable} with the password.`])
  const fault = passwordProblem(password)
  if (fault) throw new ConfigError([`The password in ${variable} will not do (${fault}).`])
  return { file, password }
}

async function makeAccounts({ file, password }: { file: string; password: string }) {
  const { DATABASE_URL, SSO_URL: publicUrl, SSO_SECRET: secret } = readSsoConfig(process.env)
  await migrate(DATABASE_URL, migrationsFolder, migrationsSchema)
  const db = openPatientDatabase({ url: DATABASE_URL, applicationName: 'atrium-sso-accounts' })
  const hashing = newHashing()
  const accounts = await newAccounts({ db, hashing, publicUrl, secret })

  const count = { made: 0, known: 0, passedOver: 0 }
  try {
    for await (const { number, member } of membersOf(file)) {
      if (!member) {
        count.passedOver += 1
        process.stderr.write(`Line ${number} is not a member that an import would take, and was passed over.\n`)
        continue
      }
      const { email, firstName, lastName } = member
      if (await credentialOf(db, email)) {
        count.known += 1
        continue
      }
      const passwordHash = await hashing.hash(password)
      await db.transaction(async (tx) => {
        const userId = await createAccount(tx, accounts, { email, firstName, lastName, locale: 'en-us', passwordHash })
        if (userId)
          await record(tx, { now: new Date(), action: 'account.created', userId, details: { by: 'operator' } })
      })
      count.made += 1
    }
  } finally {
    await db.$client.end()
  }
  return count
}

/** The file is read line by line: it may be larger than memory. Lines about other things are passed over in silence. */
async function* membersOf(file: string) {
  for await (const line of linesOf(createReadStream(file), longestLine)) {
    if ('text' in line && !line.text.includes('"member"')) continue
    const { data: member } = MemberRecord.safeParse('text' in line ? parseLine(line.text) : undefined)
    yield { number: line.number, member }
  }
}

/** Nothing where it is not JSON, or has what the import refuses as text. */
function parseLine(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line)
    refuseBrokenText(value, '')
    return value
  } catch {
    return undefined
  }
}
