import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  type ExitCode,
  exitCodes,
  refuseWithoutDatabase,
  runCommand,
  runOnDatabase,
} from '@atrium/server-kit/command.ts'
import { recordBytes, recordFile } from '@atrium/server-kit/record-file.ts'
import { recordLines, remarkSentence } from '@atrium/server-kit/record-lines.ts'
import { UsageError } from '@atrium/server-kit/usage-error.ts'
import { readSsoConfig } from '../config.ts'
import { migrationsFolder, migrationsSchema } from '../db/migrations.ts'
import { type PasswordProblem, passwordLength, passwordProblem } from '../features/password/password.rules.ts'
import { accountMaker, accountTrial } from './make-account.ts'

const usage = 'Usage: npm run accounts -- FILE --password-from VARIABLE [--dry-run]'

const about = `Makes a verified account for every member of an import file, for a demo or a first trial, all with the password in the
environment variable VARIABLE. Who has an account keeps it as it is. It works on the database of DATABASE_URL, or of the
npm start that runs beside this. --dry-run says what would be made, and needs no password. docs/sign-on.md has more.

Exit codes: 0 every member has an account; 1 some lines are passed over; 2 the arguments, the file or a setting is wrong;
3 the database; 4 a fault of Atrium.`

const migrations = { program: 'sso', folder: migrationsFolder, table: migrationsSchema }

const outcomeUnknown = 'The connection to the database was lost, and it is not known whether the last account was made.'

const passwordSentences: Readonly<Record<PasswordProblem, string>> = {
  password_too_short: `must have at least ${passwordLength.min} characters.`,
  password_too_long: `must have at most ${passwordLength.max} characters.`,
  password_common: 'is one of the commonest: choose another.',
  broken_text: 'has characters that are not text.',
}

await runCommand({ usage, about, options: ['password-from', 'dry-run'], main })

async function main(given: string[]): Promise<ExitCode> {
  const { path, password } = readArguments(given)
  await recordFile(path)
  refuseWithoutDatabase(process.env)
  const config = readSsoConfig(process.env)

  const count = { made: 0, known: 0, others: 0, passedOver: 0 }
  const sentenceOf = (trouble?: string) => `${trouble ?? outcomeUnknown} ${restartAdvice(count.made, trouble)}`
  const work = { url: config.DATABASE_URL, applicationName: 'atrium-sso-accounts', migrations, sentenceOf }
  return runOnDatabase(work, async (db) => {
    const makeAccount = password === undefined ? accountTrial(db) : await accountMaker(db, config, password)
    for await (const line of recordLines(recordBytes(path, createReadStream(path)))) {
      if ('reason' in line) {
        count.passedOver += 1
        process.stderr.write(`${remarkSentence(line)}\n`)
      } else if (line.record.type === 'member') {
        count[(await makeAccount(line.record)) ? 'made' : 'known'] += 1
      } else {
        count.others += 1
      }
    }
    const verb = password === undefined ? 'that would be made' : 'made'
    process.stdout.write(
      `Accounts ${verb}: ${count.made}. There already: ${count.known}. Lines about other things: ${count.others}. Lines passed over: ${count.passedOver}.\n`,
    )
    return count.passedOver > 0 ? exitCodes.refused : exitCodes.done
  })
}

/** @returns no password for a dry run */
function readArguments(given: string[]): { path: string; password: string | undefined } {
  const { positionals, values } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { 'password-from': { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  })
  const [path, ...others] = positionals
  if (!path || others.length > 0) throw new UsageError(usage)

  const { 'password-from': variable, 'dry-run': isDryRun } = values
  if (!variable && !isDryRun) throw new UsageError(`Which password? ${usage}`)
  const password = variable && passwordFrom(variable)
  return { path, password: isDryRun ? undefined : password }
}

function passwordFrom(variable: string): string {
  const password = process.env[variable]
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
