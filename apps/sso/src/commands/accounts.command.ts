import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'
import { ImportRecord } from '@atrium/contract/imports.ts'
import {
  type ExitCode,
  exitCodes,
  type OperatorCommand,
  refuseWithoutDatabase,
  runOnDatabase,
  type Surroundings,
} from '@atrium/server-kit/command.ts'
import { readConfig } from '@atrium/server-kit/config.ts'
import { ErasureSecret } from '@atrium/server-kit/erased-addresses.ts'
import { recordBytes, recordFile } from '@atrium/server-kit/record-file.ts'
import { recordLines, remarkSentence } from '@atrium/server-kit/record-lines.ts'
import { UsageError } from '@atrium/server-kit/usage-error.ts'
import { z } from 'zod'
import { readSsoConfig } from '../config.ts'
import { migrationsFolder, migrationsSchema } from '../db/migrations.ts'
import { type PasswordProblem, passwordLength, passwordProblem } from '../features/password/password.rules.ts'
import { AccountRecords } from './account-record.ts'
import { readRole, roleUsage, setRole } from './account-role.ts'
import { erasedPeople } from './erased-people.ts'
import { accountMaker, accountTrial } from './make-account.ts'

const usage = [
  'Usage: npm run accounts -- FILE --password-from VARIABLE [--dry-run], or npm run accounts -- FILE --with-hashes [--dry-run]',
  `   or: npm run accounts -- ${roleUsage}`,
].join('\n')

const about = `Makes accounts from a file. With --with-hashes it takes over those of another system: each "account" record
brings the hash of its password (argon2, bcrypt or scrypt) and emailVerified, and people sign in with the password they have. With --password-from,
for a demo or a first trial, every "member" record of an import file gets an account with the password in the environment variable
VARIABLE. Who has an account keeps it as it is. role: the account of the address gets the
role of a support agent, who can sign in to customers' accounts at their invitation, or loses it. It works on the database of DATABASE_URL, or of the npm start that runs beside this.
--dry-run says what would be made, and needs no password. docs/sign-on.md has more.

Exit codes: 0 every record has an account, or the role is set; 1 some lines are passed over, or nobody has the address; 2 the arguments, the file or a setting is wrong;
3 the database; 4 a fault of Atrium.`

const migrations = { program: 'sso', folder: migrationsFolder, table: migrationsSchema }

const outcomeUnknown = 'The connection to the database was lost, and it is not known whether the last account was made.'

const unknownRole = 'The connection to the database was lost. It is not known whether this was done: run it again.'

const passwordSentences: Readonly<Record<PasswordProblem, string>> = {
  password_too_short: `must have at least ${passwordLength.min} characters.`,
  password_too_long: `must have at most ${passwordLength.max} characters.`,
  password_common: 'is one of the commonest: choose another.',
  broken_text: 'has characters that are not text.',
}

export const accountsCommand: OperatorCommand = {
  ...{ usage, about, options: ['password-from', 'with-hashes', 'dry-run'] },
  main: (given, surroundings) =>
    given[0] === 'role' ? changeRole(given.slice(1), surroundings) : makeAccounts(given, surroundings),
}

async function makeAccounts(given: string[], { env, print, printError }: Surroundings): Promise<ExitCode> {
  const { path, password, withHashes, isDryRun } = readArguments(given, env)
  await recordFile(path)
  refuseWithoutDatabase(env)
  const config = readSsoConfig(env)

  const { ERASURE_SECRET: secret } = readConfig(z.object({ ERASURE_SECRET: ErasureSecret }), env)

  const count = { made: 0, known: 0, others: 0, passedOver: 0, erased: 0 }
  const sentenceOf = (trouble?: string) => `${trouble ?? outcomeUnknown} ${restartAdvice(count.made, trouble)}`
  const work = { url: config.DATABASE_URL, applicationName: 'atrium-sso-accounts', migrations, sentenceOf }
  return runOnDatabase(work, async (db) => {
    const isErased = await erasedPeople(db, secret)
    const makeAccount = isDryRun ? accountTrial(db, isErased) : await accountMaker(db, config, { password, isErased })
    for await (const line of peopleIn(path, withHashes)) {
      if (line === undefined) {
        count.others += 1
      } else if ('reason' in line) {
        count.passedOver += 1
        printError(remarkSentence(line))
      } else {
        count[await makeAccount(line)] += 1
      }
    }
    const verb = isDryRun ? 'that would be made' : 'made'
    const erased = count.erased > 0 ? ` Skipped, as their data was erased: ${count.erased}.` : ''
    print(
      `Accounts ${verb}: ${count.made}. There already: ${count.known}. Lines about other things: ${count.others}. Lines passed over: ${count.passedOver}.${erased}`,
    )
    return count.passedOver > 0 ? exitCodes.refused : exitCodes.done
  })
}

/** `role EMAIL support|none` */
function changeRole(given: readonly string[], { env, print }: Surroundings): Promise<ExitCode> {
  const asked = readRole(given)
  if (!asked) throw new UsageError(usage)
  refuseWithoutDatabase(env)
  const sentenceOf = (trouble?: string) => `${trouble ?? unknownRole} ${trouble ? 'Nothing was changed.' : ''}`.trim()
  const work = { applicationName: 'atrium-sso-accounts', migrations, sentenceOf }
  return runOnDatabase({ url: readSsoConfig(env).DATABASE_URL, ...work }, (db) => setRole(db, asked, print))
}

/** The people of a file, and what is wrong with a line; undefined: a record about something else. */
async function* peopleIn(path: string, withHashes: boolean) {
  const bytes = recordBytes(path, createReadStream(path))
  if (withHashes) {
    for await (const line of recordLines(bytes, AccountRecords)) yield 'reason' in line ? line : line.record
    return
  }
  for await (const line of recordLines(bytes, ImportRecord)) {
    if ('reason' in line) yield line
    else if (line.record.type !== 'member') yield undefined
    else {
      const { email, firstName, lastName } = line.record
      yield { email, emailVerified: true, firstName, lastName, locale: 'en-us' }
    }
  }
}

/** @returns an empty password where none is needed */
function readArguments(given: string[], env: NodeJS.ProcessEnv) {
  const { positionals, values } = parseArgs({
    args: given,
    allowPositionals: true,
    options: {
      'password-from': { type: 'string' },
      'with-hashes': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const [path, ...others] = positionals
  if (!path || others.length > 0) throw new UsageError(usage)

  const { 'password-from': variable, 'with-hashes': withHashes, 'dry-run': isDryRun } = values
  if (variable && withHashes) throw new UsageError(`Which passwords, those of the file or one for all? ${usage}`)
  if (!variable && !withHashes && !isDryRun) throw new UsageError(`Which password? ${usage}`)
  return { path, password: variable ? passwordFrom(variable, env) : '', withHashes, isDryRun }
}

function passwordFrom(variable: string, env: NodeJS.ProcessEnv): string {
  const password = env[variable]
  if (!password) throw new UsageError(`The environment has no variable ${variable} with the password.`)
  const problem = passwordProblem(password)
  if (problem) throw new UsageError(`The password in ${variable} ${passwordSentences[problem]}`)
  return password
}

/** @param trouble missing where the last commit was not answered */
function restartAdvice(made: number, trouble: string | undefined): string {
  if (trouble && made === 0) return 'No account was made.'
  const done = trouble ? `Accounts made: ${made}. ` : ''
  return `${done}Run it again: accounts that are there stay as they are.`
}
