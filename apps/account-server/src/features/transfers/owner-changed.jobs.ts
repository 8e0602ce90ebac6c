import { createHash } from 'node:crypto'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { uuidFrom } from '../../db/derived-uuid.ts'
import type { Deps } from '../../deps.ts'
import { sendEmailsOnce } from '../mail/mail.writes.ts'
import { type MadeTransfer, madeTransfer, teamOf } from './owner-changed.queries.ts'
import { ownerChangedEmail } from './transfer-emails.ts'

export const ownerChangedQueue = 'transfers.owner-changed'

/** People who are emailed in one transaction: a team may have thousands. */
const batchSize = 200

export interface OwnerChangedJob {
  transferId: string
  /** The last person of the batch before, as a hash: jobs are stored longer than people may be. */
  after?: string
}

type Needs = Pick<Deps, 'db' | 'config' | 'clock'>
type Queue = Pick<Jobs, 'sendEach'>

export function transfersJobs(jobs: Jobs, deps: Needs): Promise<void> {
  return jobs.work<OwnerChangedJob>(ownerChangedQueue, (job) => emailSomeOfTeam(deps, jobs, job))
}

/**
 * Emails a batch of the people with a seat in what was transferred whom to turn to from now on, and leaves the rest to another job.
 * Repeated, it sends nothing again: each email, and the next job, has an id of its own.
 */
export async function emailSomeOfTeam(
  { db, config, clock }: Needs,
  jobs: Queue,
  { transferId, after = '' }: OwnerChangedJob,
): Promise<void> {
  await db.transaction(async (tx) => {
    const made = await madeTransfer(tx, transferId)
    if (!made) return
    const people = await teamOf(tx, made, { after, limit: batchSize, now: clock() })
    const emails = people.map((person) => ({
      id: idOf(transferId, 'email', person.key),
      message: { ...ownerChangedEmail(config, changeFor(person, made)), to: person.email },
    }))
    await sendEmailsOnce({ jobs, config }, tx, emails)

    const last = people.at(-1)
    if (!last || people.length < batchSize) return
    const next: OwnerChangedJob = { transferId, after: last.key }
    await jobs.sendEach(tx, ownerChangedQueue, [{ id: idOf(transferId, 'after', last.key), data: next }])
  })
}

type TeamMember = Awaited<ReturnType<typeof teamOf>>[number]

function changeFor(
  { key: _, products, hasSeat, hasLicense, ...person }: TeamMember,
  { owner, senderLocale }: MadeTransfer,
) {
  const licensed = hasLicense ? ('licensed' as const) : ('unlicensed' as const)
  return {
    // Who has no account yet was invited in the language of the team.
    person: { ...person, locale: person.locale ?? senderLocale },
    owner,
    products,
    standing: hasSeat ? licensed : ('invited' as const),
  }
}

function idOf(transferId: string, is: 'email' | 'after', key: string): string {
  return uuidFrom(createHash('sha256').update(`${transferId} ${is} ${key}`).digest('hex'))
}
