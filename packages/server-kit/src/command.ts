import { inspect } from 'node:util'
import { commandArguments } from './command-arguments.ts'
import { ConfigError, isSet } from './config.ts'
import { type Db, openBatchDatabase } from './database.ts'
import { CommitOutcomeUnknown, driverError } from './database-failure.ts'
import { databaseSentence } from './database-sentence.ts'
import { type Migrations, NotMigrated, refuseUnmigrated } from './migrated.ts'
import { UsageError } from './usage-error.ts'

/** What the shell is told when a command ends, as docs/imports.md and docs/sign-on.md have it. */
export const exitCodes = {
  done: 0,
  /** All of it, or some lines, for the reasons that were printed. */
  refused: 1,
  /** The arguments, the file or the settings are wrong: nothing was done. */
  usage: 2,
  /** The database does not answer, or has no tables yet; or did not answer a commit, which may have been done. */
  database: 3,
  /** Of ours: printed with its stack. */
  fault: 4,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

interface Command {
  /** What is typed: the answer to wrong arguments. */
  usage: string
  /** What `--help` says beside it. */
  about: string
  /** Long options that it has. */
  options: readonly string[]
  /** @throws UsageError, or that of `node:util` for options that do not exist: the usage is printed */
  main(given: string[]): Promise<ExitCode>
}

/** Runs a command of an operator to its end, and sets the exit code. */
export async function runCommand({ usage, about, options, main }: Command): Promise<void> {
  try {
    const given = commandArguments(process, options)
    if (given.includes('--help') || given.includes('-h')) process.stdout.write(`${usage}\n\n${about}\n`)
    else process.exitCode = await main(given)
  } catch (error) {
    process.stderr.write(`${sentenceFor(error, usage) ?? inspect(error)}\n`)
    process.exitCode = sentenceFor(error, usage) ? exitCodes.usage : exitCodes.fault
  }
}

/** What whoever typed it did wrong; nothing for a fault of ours. */
function sentenceFor(error: unknown, usage: string): string | undefined {
  if (error instanceof UsageError || error instanceof ConfigError) return error.message
  return isWrongArgument(error) ? usage : undefined
}

/** `node:util` refuses options that do not exist. */
function isWrongArgument(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

/** @throws UsageError */
export function refuseWithoutDatabase(env: NodeJS.ProcessEnv): void {
  if (isSet(env, 'DATABASE_URL')) return
  throw new UsageError('Set DATABASE_URL, or run npm start beside this: there is no database to work on.')
}

interface DatabaseWork {
  url: string
  applicationName: string
  /** Whose tables it needs; undefined: it checks that itself. */
  migrations: Migrations | undefined
  /** What to print where the database ended it; `trouble` is missing where nobody knows whether the last commit was done. */
  sentenceOf(trouble: string | undefined): string
}

/** Does a command's work on the database. Trouble with that is a sentence and an exit code, and no fault of ours. */
export async function runOnDatabase(
  { url, applicationName, migrations, sentenceOf }: DatabaseWork,
  run: (db: Db) => Promise<ExitCode>,
): Promise<ExitCode> {
  const db = openBatchDatabase({ url, applicationName })
  try {
    if (migrations) await refuseUnmigrated(db, migrations)
    return await run(db)
  } catch (error) {
    const isUnknown = error instanceof CommitOutcomeUnknown
    const trouble = error instanceof NotMigrated ? error.message : (databaseSentence(error) ?? missingRight(error))
    if (!isUnknown && !trouble) throw error
    process.stderr.write(`${sentenceOf(isUnknown ? undefined : trouble)}\n`)
    return exitCodes.database
  } finally {
    await db.$client.end()
  }
}

function missingRight(error: unknown): string | undefined {
  const { code, message } = driverError(error)
  return code === '42501' ? `The user of DATABASE_URL lacks a right: ${message}.` : undefined
}
