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

interface Output {
  write(text: string): unknown
}

/** The process that a command runs in. */
type CommandProcess = Pick<NodeJS.Process, 'argv' | 'env'> & { stdout: Output; stderr: Output }

/** What a command has of its process, beside its arguments. */
export interface Surroundings {
  env: NodeJS.ProcessEnv
  print(line: string): void
  printError(line: string): void
}

export interface OperatorCommand {
  /** What is typed: the answer to wrong arguments. */
  usage: string
  /** What `--help` says beside it. */
  about: string
  /** Long options that it has. */
  options: readonly string[]
  /** @throws UsageError, or that of `node:util` for options that do not exist: the usage is printed */
  main(given: string[], surroundings: Surroundings): Promise<ExitCode>
}

/** Runs a command to its end. @returns the exit code */
export async function runCommand(
  { usage, about, options, main }: OperatorCommand,
  { argv, env, stdout, stderr }: CommandProcess,
): Promise<ExitCode> {
  const print = (line: string) => void stdout.write(`${line}\n`)
  const printError = (line: string) => void stderr.write(`${line}\n`)
  try {
    const given = commandArguments({ argv, env }, options)
    if (!given.includes('--help') && !given.includes('-h')) return await main(given, { env, print, printError })
    print(`${usage}\n\n${about}`)
    return exitCodes.done
  } catch (error) {
    const { code, sentence } = failureOf(error, usage)
    printError(sentence)
    return code
  }
}

/** How an error ends the command: one of ours with its stack, others with a sentence for whoever typed it. */
function failureOf(error: unknown, usage: string): { code: ExitCode; sentence: string } {
  if (error instanceof DatabaseTrouble) return { code: exitCodes.database, sentence: error.message }
  if (isWrongArgument(error)) return { code: exitCodes.usage, sentence: usage }
  const isWrong = error instanceof UsageError || error instanceof ConfigError
  return isWrong
    ? { code: exitCodes.usage, sentence: error.message }
    : { code: exitCodes.fault, sentence: inspect(error) }
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

/** The database ended a command's work, in a sentence: not a fault of ours. */
class DatabaseTrouble extends Error {}

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
    throw new DatabaseTrouble(sentenceOf(isUnknown ? undefined : trouble))
  } finally {
    await db.$client.end()
  }
}

function missingRight(error: unknown): string | undefined {
  const { code, message } = driverError(error)
  return code === '42501' ? `The user of DATABASE_URL lacks a right: ${message}.` : undefined
}
