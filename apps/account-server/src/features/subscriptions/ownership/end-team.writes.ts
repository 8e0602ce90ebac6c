import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { JobSender } from '@atrium/server-kit/job-sender.ts'
import { and, eq, isNull, ne, not } from 'drizzle-orm'
import { recordSystem } from '../../activity/activity.writes.ts'
import { isOfPerson } from '../seats.queries.ts'
import { seats } from '../seats.tables.ts'
import type { SubscriptionRow } from '../subscriptions.tables.ts'

export const endedSeatsQueue = 'team.ended-seats'

/** A seat that ended with its Owner. */
export interface EndedSeatJob {
  seatId: string
}

/** Higher nouns take from whoever had a subscription by mistake what a file has given them of it: its license. */
export const formerOwnersQueue = 'subscriptions.former-owners'

export interface FormerOwnerJob {
  subscriptionId: string
  /** Who had it. */
  memberId: string
}

/** What ends teams. */
export interface EndingNeeds {
  jobs: Pick<JobSender, 'send'>
}

interface Ending {
  /** Locked, as they were: they are not their Owner's. */
  rows: readonly SubscriptionRow[]
  /** Whose they are. */
  memberId: string
  now: Date
}

/**
 * Ends the seats of everybody whom an Owner has let in who never was one: they would manage the team of the true Owner, and use what that
 * one pays for. Both Owners have it in their activity; a job emails the people. Another one takes from who had it what a file has said of the
 * license.
 */
export async function endTeams({ jobs }: EndingNeeds, tx: Tx, { rows, memberId, now }: Ending): Promise<void> {
  for (const { id: subscriptionId, memberId: before } of rows) {
    const isOthers = and(ne(seats.type, seatTypes.owner), not(isOfPerson(memberId)))
    const ended = await tx
      .update(seats)
      .set({ removedAt: now })
      .where(and(eq(seats.subscriptionId, subscriptionId), isNull(seats.removedAt), isOthers))
      .returning({ id: seats.id, email: seats.email, status: seats.status })
    for (const { id: target, email, status } of ended) {
      const action = status === 'Pending' ? 'seat.invitation_withdrawn' : 'seat.removed'
      const happening = { action, target, details: { subscriptionId, email }, now } as const
      const program = { actor: 'purchase-given', address: null, requestId: null }
      for (const owner of new Set([before, memberId]))
        await recordSystem(tx, { ...program, memberId: owner }, happening)
      await jobs.send(tx, endedSeatsQueue, { seatId: target } satisfies EndedSeatJob)
    }
    await jobs.send(tx, formerOwnersQueue, { subscriptionId, memberId: before } satisfies FormerOwnerJob)
  }
}
