import {
  type ExitCode,
  type OperatorCommand,
  refuseWithoutDatabase,
  runOnDatabase,
  type Surroundings,
} from '@atrium/server-kit/command.ts'
import { readConfig } from '@atrium/server-kit/config.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { type JobSender, openJobSender } from '@atrium/server-kit/job-sender.ts'
import { UsageError } from '@atrium/server-kit/usage-error.ts'
import { MembersSettings } from '../config.ts'
import { businessTime } from '../db/business-clock.queries.ts'
import { migrations } from '../db/migrations.ts'
import type { Command } from './command.ts'
import { eraseMemberCommand } from './erase-member.ts'
import { exportMemberCommand } from './export-member.ts'
import { linkCustomerCommand } from './link-customer.ts'
import { linkMember } from './link-member.ts'
import { memberSessions } from './member-sessions.ts'

/** What an operator may do with members, by name. */
const commands: ReadonlyMap<string, Command> = new Map([
  ['link', linkMember],
  ['sessions', memberSessions],
  ['link-customer', linkCustomerCommand(withJobs)],
  ['export', exportMemberCommand],
  ['erase', eraseMemberCommand],
])

const usage = ['Usage:', ...[...commands.values()].map((command) => `  npm run members -- ${command.usage}`)].join('\n')

const about = `link: whom the single sign-on names SUBJECT signs in as the member with the verified e-mail address EMAIL.
--replace does it also where somebody would lose their sign-in. docs/sign-on.md has more.
sessions: counts the sessions of whoever has this address, here and at the single sign-on; with --end it ends all of them.
link-customer: the customer CUSTOMER (cus_…) of the card provider, or the subscription (I-…) of PayPal, is the member’s with the verified e-mail address EMAIL.
export: writes what is stored about the person with this address to FOLDER: JSON, and the invoices as PDFs.
erase: deletes or replaces the person's data; orders, invoices and licenses stay, without names. It needs ERASURE_SECRET.
docs/operations.md has more about both. --dry-run prints what would be done, and changes nothing. It works on the database of DATABASE_URL, or of the npm start that runs beside this.

Exit codes: 0 done, or so already; 1 refused, nothing was changed; 2 the arguments or a setting is wrong; 3 the database;
4 a fault of Atrium.`

const outcomeUnknown = 'The connection to the database was lost. It is not known whether this was done: run it again.'

export const membersCommand: OperatorCommand = { usage, about, options: ['replace', 'dry-run', 'to', 'end'], main }

async function main([name = '', ...parameters]: string[], { env, print }: Surroundings): Promise<ExitCode> {
  const run = commands.get(name)?.prepare(parameters)
  if (!run) throw new UsageError(usage)
  refuseWithoutDatabase(env)
  const config = readConfig(MembersSettings, env)

  const sentenceOf = (trouble?: string) => (trouble ? `${trouble} Nothing was changed.` : outcomeUnknown)
  return runOnDatabase(
    { url: config.DATABASE_URL, applicationName: 'atrium-members', migrations, sentenceOf },
    async (db) => {
      const now = (await businessTime(db, config))()
      return run(db, print, { ...config, now })
    },
  )
}

async function withJobs<Result>(db: Db, run: (jobs: Pick<JobSender, 'send'>) => Promise<Result>): Promise<Result> {
  await using jobs = await openJobSender(db, { schema: 'account_jobs', program: 'account-server' })
  return run(jobs)
}
