import { parseArgs } from 'node:util'
import { emailForm } from '@atrium/contract/email.ts'
import { type ExitCode, exitCodes } from '@atrium/server-kit/command.ts'
import { ConfigError } from '@atrium/server-kit/config.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { type ErasureOutcome, eraseMember } from '../features/personal-data/erase-member.service.ts'
import { secretOfErasures } from '../features/personal-data/erased-addresses.queries.ts'
import type { Obstacle } from '../features/personal-data/obstacles.queries.ts'
import type { Command, MembersConfig } from './command.ts'

interface Arguments {
  email: string
  dryRun: boolean
}

/** `erase EMAIL [--dry-run]`: deletes or replaces the personal data of whoever has this address. */
export const eraseMemberCommand: Command = {
  usage: 'erase EMAIL [--dry-run]',
  prepare(parameters) {
    const given = argumentsOf(parameters)
    return given && ((db, print, config) => erase(db, given, { print, config }))
  },
}

/** @throws TypeError for an unknown option */
function argumentsOf(parameters: readonly string[]): Arguments | undefined {
  const { positionals, values } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  })
  const [email = '', ...more] = positionals.map((value) => value.trim())
  if (!email.includes('@') || more.length > 0) return undefined
  return { email: emailForm(email), dryRun: values['dry-run'] }
}

interface Surroundings {
  print: (line: string) => void
  config: MembersConfig
}

async function erase(db: Db, given: Arguments, { print, config }: Surroundings): Promise<ExitCode> {
  const { ERASURE_SECRET: secret, PAST_DUE_DAYS: pastDueDays, now } = config
  if (!secret) throw new ConfigError(['ERASURE_SECRET is not set: erased addresses are stored as hashes under it.'])
  await secretOfErasures(db, secret)
  const outcome = await eraseMember(db, { ...given, secret, pastDueDays, now })
  for (const line of linesOf(outcome, given)) print(line)
  return outcome.kind === 'refused' || outcome.kind === 'several' ? exitCodes.refused : exitCodes.done
}

function linesOf(outcome: ErasureOutcome, { email, dryRun }: Arguments): string[] {
  switch (outcome.kind) {
    case 'nobody':
      return [`Nobody has the address ${email}. Nothing was changed.`]
    case 'several':
      return [
        `Several members have the address ${email}: ${outcome.memberIds.join(', ')}. Nothing was changed.`,
        'Give all but one another address first, or erase them one after another.',
      ]
    case 'refused':
      return ['Nothing was changed:', ...outcome.obstacles.map(obstacleSentence)]
    case 'erased':
      return [...summary(outcome), dryRun ? 'This was a dry run: nothing was changed.' : 'Done.']
  }
}

function summary({
  memberId,
  rows,
  deleted,
  detached,
  shared,
  purchases,
}: Extract<ErasureOutcome, { kind: 'erased' }>): string[] {
  const counts = Object.entries(rows).map(([noun, count]) => `${noun} (${count})`)
  return [
    `${memberId === null ? 'Nobody signs in with this address' : `Member ${memberId}`}. Erased or replaced: ${counts.join(', ')}.`,
    ...deleted.map((id) => `The running account-server deletes the customer ${id} at the card provider.`),
    ...detached.map(
      (id) =>
        `The customer ${id} stays at the card provider: with this person’s address others may have entered cards there. Look at it there.`,
    ),
    ...shared.map(
      (id) =>
        `The customer ${id} stays at the card provider: a subscription there is not this person’s, and would end with it. Look at it there.`,
    ),
    ...purchases.map(
      (id) =>
        `The purchase ${id} stays at its provider: only a typed address said that it was this person’s. Look at it there.`,
    ),
  ]
}

const providerNames = { card: 'card provider', paypal: 'PayPal' } as const

/** What stands in the way, and what to do about it. */
function obstacleSentence(obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'running_subscription':
      return `Subscription ${obstacle.subscriptionId} (${obstacle.product}) still runs: cancel or transfer it, and wait for its end.`
    case 'purchase_being_checked':
      return `Purchase ${obstacle.objectId} (${providerNames[obstacle.provider]}) waits to be checked: accept it, or give back what was paid, and cancel it there unless that is done.`
    case 'team':
      return `Subscription ${obstacle.subscriptionId} (${obstacle.product}) lists other users (${obstacle.users}): remove them, or transfer it.`
    case 'open_operation':
      return `${obstacle.operation} of ${obstacle.createdAt.toISOString()} has not ended at the provider: run this again when it has, usually within minutes.`
    case 'unpaid_order':
      return `Order ${obstacle.orderNumber} is not paid: have it paid, or void its invoice at the provider.`
    case 'unwritten_invoice':
      return `The invoice of order ${obstacle.orderNumber} is not written yet: the running account-server does that within the hour.`
  }
}
