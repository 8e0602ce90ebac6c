import { parseArgs } from 'node:util'
import { emailForm } from '@atrium/contract/email.ts'
import { type ExitCode, exitCodes } from '@atrium/server-kit/command.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { type LinkOutcome, type LinkPlan, linkIdentity } from '../features/session/link-identity.service.ts'
import type { Command } from './command.ts'

interface Arguments {
  email: string
  subject: string
  replace: boolean
  dryRun: boolean
}

/** `link EMAIL SUBJECT [--replace] [--dry-run]`: links the subject to the member with this address. */
export const linkMember: Command = {
  usage: 'link EMAIL SUBJECT [--replace] [--dry-run]',
  prepare(parameters) {
    const given = argumentsOf(parameters)
    return given && ((db, print) => link(db, given, print))
  },
}

/** @throws TypeError for an unknown option */
function argumentsOf(parameters: readonly string[]): Arguments | undefined {
  const { positionals, values } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false }, 'dry-run': { type: 'boolean', default: false } },
  })
  const [email = '', subject = '', ...more] = positionals.map((value) => value.trim())
  const isWhole = email.includes('@') && subject !== '' && subject.length <= 255 && more.length === 0
  if (!isWhole) return undefined
  return { email: emailForm(email), subject, replace: values.replace, dryRun: values['dry-run'] }
}

async function link(db: Db, given: Arguments, print: (line: string) => void): Promise<ExitCode> {
  const outcome = await linkIdentity(db, { ...given, now: new Date() })
  for (const line of linesOf(outcome, given)) print(line)
  return outcome.kind === 'linked' || outcome.kind === 'already_linked' ? exitCodes.done : exitCodes.refused
}

function linesOf(outcome: LinkOutcome, { email, subject, dryRun }: Arguments): string[] {
  switch (outcome.kind) {
    case 'unknown_email':
      return [`No member has the verified e-mail address ${email}. Nothing was changed.`]
    case 'already_linked':
      return [`${subject} signs in as ${email} (member ${outcome.memberId}) already. Nothing was changed.`]
    case 'needs_replace':
      return ['Nothing was changed. With --replace:', ...consequences(outcome.plan, subject)]
    case 'linked':
      return [
        `${subject} signs in as ${email} (member ${outcome.plan.memberId}).`,
        ...consequences(outcome.plan, subject),
        dryRun ? 'This was a dry run: nothing was changed.' : 'Done.',
      ]
  }
}

/** The consequences, one sentence per line. */
function consequences({ memberId, replaced, left, endedSessions }: LinkPlan, subject: string): string[] {
  return [
    ...replaced.map((other) => `${other} no longer signs in as member ${memberId}.`),
    ...(left ? [`${subject} no longer signs in as member ${left.memberId}, ${possessions(left.data)}.`] : []),
    ...(endedSessions > 0 ? [`Sessions that end: ${endedSessions}.`] : []),
  ]
}

function possessions(data: Readonly<Record<string, number>>): string {
  const tables = Object.entries(data).map(([table, rows]) => `${table} (${rows})`)
  return tables.length === 0
    ? 'who has nothing here'
    : `who keeps ${tables.join(', ')}; nothing is merged, and nobody signs in to it until somebody signs in with its address`
}
