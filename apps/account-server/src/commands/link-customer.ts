import { parseArgs } from 'node:util'
import { emailForm } from '@atrium/contract/email.ts'
import { exitCodes } from '@atrium/server-kit/command.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import type { JobSender } from '@atrium/server-kit/job-sender.ts'
import type { Transferred } from '../features/subscriptions/moving/moving.queries.ts'
import { type LinkOutcome, linkPurchase } from '../features/subscriptions/ownership/link-purchase.service.ts'
import type { Command } from './command.ts'

interface Arguments {
  email: string
  objectId: string
  dryRun: boolean
}

/** Runs what puts jobs on queues of the running program. */
export type WithJobs = <Result>(db: Db, run: (jobs: Pick<JobSender, 'send'>) => Promise<Result>) => Promise<Result>

/**
 * `link-customer EMAIL CUSTOMER [--dry-run]`: the customer of the card provider, or the subscription of PayPal, is the member's with this
 * address; so is a payment at PayPal that waits by itself.
 */
export const linkCustomerCommand = (withJobs: WithJobs): Command => ({
  usage: 'link-customer EMAIL CUSTOMER [--dry-run]',
  prepare(parameters) {
    const given = argumentsOf(parameters)
    if (!given) return undefined
    return async (db, print, { now }) => {
      const asked = { ...given, now }
      const outcome = await withJobs(db, (jobs) => linkPurchase({ db, jobs }, asked))
      for (const line of linesOf(outcome, given)) print(line)
      return outcome.kind === 'linked' || outcome.kind === 'already_linked' ? exitCodes.done : exitCodes.refused
    }
  },
})

/** @throws TypeError for an unknown option */
function argumentsOf(parameters: readonly string[]): Arguments | undefined {
  const { positionals, values } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  })
  const [email = '', objectId = '', ...more] = positionals.map((value) => value.trim())
  const isWhole = email.includes('@') && /^(cus_\w+|I-\w+|[0-9A-Z]{17})$/.test(objectId) && more.length === 0
  return isWhole ? { email: emailForm(email), objectId, dryRun: values['dry-run'] } : undefined
}

function linesOf(outcome: LinkOutcome, { email, objectId, dryRun }: Arguments): string[] {
  switch (outcome.kind) {
    case 'unknown_email':
      return [`No member has the verified e-mail address ${email}. Nothing was changed.`]
    case 'unknown_object':
      return [`No subscription ${objectId} was read: run npm run sync -- subscriptions first. Nothing was changed.`]
    case 'moved':
      return [`${transferredLine({ providerId: objectId, memberId: outcome.memberId })} Nothing was changed.`]
    case 'already_linked':
      return [`${objectId} is ${email} (member ${outcome.memberId}) already. Nothing was changed.`]
    case 'of_another_member':
      return [`${objectId} is known to be member ${outcome.memberId}. Nothing was changed.`]
    case 'own_card':
      return [
        `Member ${outcome.memberId} has put a card of their own on file there: they remove it first. Nothing was changed.`,
      ]
    case 'being_changed':
      return [`Member ${outcome.memberId} is changing it now: try again in some minutes. Nothing was changed.`]
    case 'linked':
      return [
        outcome.customerOf === undefined
          ? `${objectId} is ${email} (member ${outcome.memberId}).`
          : `${objectId} stays member ${outcome.customerOf}, since something that they bought there is proven to be theirs.`,
        ...(outcome.from === undefined ? [] : [`Until now it was member ${outcome.from}.`]),
        ...(outcome.moved > 0 ? [`Subscriptions that another member had, or nobody: ${outcome.moved}.`] : []),
        ...(outcome.kept
          ? [`Subscriptions that are proven to be another member’s, and stay theirs: ${outcome.kept}.`]
          : []),
        ...transferredLines(outcome.transferred ?? []),
        dryRun
          ? 'This was a dry run: nothing was changed.'
          : `Done. npm run sync -- subscriptions, then npm run sync -- invoices, brings ${outcome.transferred?.length ? 'what else' : 'what'} was bought there.`,
      ]
  }
}

function transferredLine({ providerId, memberId }: Transferred): string {
  return `${providerId} was transferred, and stands for nothing here any more: member ${memberId} has its subscription.`
}

/** The provider alone can end what the recipient has of it. */
function transferredLines(transferred: readonly Transferred[]): string[] {
  if (transferred.length === 0) return []
  return [
    ...transferred.map(transferredLine),
    'What was transferred stays with who has it. To take it back, end it at once at the provider and give back what was paid for it; then begin another subscription of this customer there.',
  ]
}
