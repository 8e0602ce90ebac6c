import { parseArgs } from 'node:util'
import { type ExitCode, exitCodes } from '@atrium/server-kit/command.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { type LinkOutcome, linkCustomer } from '../features/payments/customers/link-customer.service.ts'
import type { Command } from './command.ts'

interface Arguments {
  email: string
  customerId: string
  dryRun: boolean
}

/** `link-customer EMAIL CUSTOMER [--dry-run]`: the customer of the card provider is the member with this address. */
export const linkCustomerCommand: Command = {
  usage: 'link-customer EMAIL CUSTOMER [--dry-run]',
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
    options: { 'dry-run': { type: 'boolean', default: false } },
  })
  const [email = '', customerId = '', ...more] = positionals.map((value) => value.trim())
  const isWhole = email.includes('@') && /^cus_\w+$/.test(customerId) && more.length === 0
  return isWhole ? { email: email.toLowerCase(), customerId, dryRun: values['dry-run'] } : undefined
}

async function link(db: Db, given: Arguments, print: (line: string) => void): Promise<ExitCode> {
  const outcome = await linkCustomer(db, { ...given, now: new Date() })
  for (const line of linesOf(outcome, given)) print(line)
  return outcome.kind === 'linked' || outcome.kind === 'already_linked' ? exitCodes.done : exitCodes.refused
}

function linesOf(outcome: LinkOutcome, { email, customerId, dryRun }: Arguments): string[] {
  switch (outcome.kind) {
    case 'unknown_email':
      return [`No member has the verified e-mail address ${email}. Nothing was changed.`]
    case 'already_linked':
      return [`${customerId} is ${email} (member ${outcome.memberId}) already. Nothing was changed.`]
    case 'of_another_member':
      return [`${customerId} is known to be member ${outcome.memberId}. Nothing was changed.`]
    case 'linked':
      return [
        `${customerId} is ${email} (member ${outcome.memberId}).`,
        dryRun
          ? 'This was a dry run: nothing was changed.'
          : 'Done. npm run sync -- subscriptions, then npm run sync -- invoices, brings what was bought there.',
      ]
  }
}
