import { type ExitCode, refuseWithoutDatabase, runCommand, runOnDatabase } from '@atrium/server-kit/command.ts'
import { readConfig } from '@atrium/server-kit/config.ts'
import { UsageError } from '@atrium/server-kit/usage-error.ts'
import { MembersSettings } from '../config.ts'
import { migrations } from '../db/migrations.ts'
import type { Command } from './command.ts'
import { linkMember } from './link-member.ts'

/** What an operator may do with members, by name. */
const commands: ReadonlyMap<string, Command> = new Map([['link', linkMember]])

const usage = ['Usage:', ...[...commands.values()].map((command) => `  npm run members -- ${command.usage}`)].join('\n')

const about = `link: whom the single sign-on names SUBJECT signs in as the member with the verified e-mail address EMAIL.
--replace does it also where somebody would lose their sign-in; --dry-run prints what would be done, and changes nothing.
docs/sign-on.md has more. It works on the database of DATABASE_URL, or of the npm start that runs beside this.

Exit codes: 0 done, or so already; 1 refused, nothing was changed; 2 the arguments or a setting is wrong; 3 the database;
4 a fault of Atrium.`

const outcomeUnknown = 'The connection to the database was lost. It is not known whether this was done: run it again.'

await runCommand({ usage, about, options: ['replace', 'dry-run'], main })

async function main([name = '', ...parameters]: string[]): Promise<ExitCode> {
  const run = commands.get(name)?.prepare(parameters)
  if (!run) throw new UsageError(usage)
  refuseWithoutDatabase(process.env)
  const { DATABASE_URL: url } = readConfig(MembersSettings, process.env)

  const sentenceOf = (trouble?: string) => (trouble ? `${trouble} Nothing was changed.` : outcomeUnknown)
  return runOnDatabase({ url, applicationName: 'atrium-members', migrations, sentenceOf }, (db) =>
    run(db, (line) => process.stdout.write(`${line}\n`)),
  )
}
