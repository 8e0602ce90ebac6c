import { commandArguments } from '@atrium/server-kit/command-arguments.ts'
import { ConfigError, readConfig } from '@atrium/server-kit/config.ts'
import { openPatientDatabase } from '@atrium/server-kit/database.ts'
import { CommitOutcomeUnknown } from '@atrium/server-kit/database-failure.ts'
import { databaseSentence } from '@atrium/server-kit/database-sentence.ts'
import { MembersSettings } from '../config.ts'
import { NotMigrated, refuseUnmigrated } from '../db/migrated.ts'
import { type Command, type ExitCode, exitCodes } from './command.ts'
import { linkMember } from './link-member.ts'

/** What an operator may do with members, by name. */
const commands: ReadonlyMap<string, Command> = new Map([['link', linkMember]])

const outcomeUnknown = 'The connection to the database was lost. It is not known whether this was done: run it again.'

process.exitCode = await main(commandArguments(process))

async function main([name = '', ...parameters]: readonly string[]): Promise<ExitCode> {
  try {
    const run = commands.get(name)?.prepare(parameters)
    if (!run) return complain(usage(), exitCodes.usage)
    const { DATABASE_URL } = readConfig(MembersSettings, process.env)
    const db = openPatientDatabase({ url: DATABASE_URL, applicationName: 'atrium-members' })
    try {
      await refuseUnmigrated(db)
      return await run(db, (line) => process.stdout.write(`${line}\n`))
    } finally {
      await db.$client.end()
    }
  } catch (error) {
    if (error instanceof ConfigError) return complain(error.message, exitCodes.usage)
    if (isWrongArgument(error)) return complain(usage(), exitCodes.usage)
    if (error instanceof CommitOutcomeUnknown) return complain(outcomeUnknown, exitCodes.database)
    const trouble = error instanceof NotMigrated ? error.message : databaseSentence(error)
    if (!trouble) throw error
    return complain(`${trouble} Nothing was changed.`, exitCodes.database)
  }
}

function usage(): string {
  return ['Usage:', ...[...commands.values()].map((command) => `  npm run members -- ${command.usage}`)].join('\n')
}

function complain(sentence: string, code: ExitCode): ExitCode {
  process.stderr.write(`${sentence}\n`)
  return code
}

/** `node:util` refuses options that do not exist. */
function isWrongArgument(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
