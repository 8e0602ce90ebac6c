import type { Tx } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { and, eq, inArray, isNull, lte } from 'drizzle-orm'
import { daysLater } from '../../db/calendar.rules.ts'
import type { Deps } from '../../deps.ts'
import { recordSystem } from '../activity/activity.writes.ts'
import { type EndedSeatJob, endedSeatsQueue } from '../subscriptions/ownership/end-team.writes.ts'
import { invitationDays } from '../subscriptions/seats.rules.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { invitations } from './invitations/invitations.tables.ts'
import { tellOfEndedSeat } from './users/ended-seats.service.ts'
import { publishSeatChange } from './users/seat-changes.writes.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'clock' | 'jobs'>

export async function teamJobs(jobs: Jobs, deps: Deps): Promise<void> {
  await jobs.work<EndedSeatJob>(endedSeatsQueue, (job) => tellOfEndedSeat(deps, jobs, job))
  await jobs.schedule('team.invitations-lapse', '12 * * * *', () => noteLapsedInvitations(deps))
}

const atOnce = 200

/** Writes down which invitations have lapsed, and tells the vendor's systems. Their seats are free from that moment on, without this. */
export async function noteLapsedInvitations(deps: Needs): Promise<void> {
  for (;;) {
    const lapsed = await deps.db.transaction((tx) => noteSome(deps, tx))
    if (lapsed < atOnce) return
  }
}

async function noteSome(deps: Needs, tx: Tx): Promise<number> {
  const now = deps.clock()
  const locked = await tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(isNull(invitations.ended), inArray(invitations.seatId, lapsedSeats(tx, now))))
    .limit(atOnce)
    .for('update', { skipLocked: true })
  const ids = locked.map(({ id }) => id)
  const lapsed = await tx
    .select({ id: invitations.id, seat: seats, memberId: subscriptions.memberId })
    .from(invitations)
    .innerJoin(seats, eq(seats.id, invitations.seatId))
    .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
    .where(inArray(invitations.id, ids))
  for (const { id, seat, memberId } of lapsed) {
    await tx.update(invitations).set({ ended: 'lapsed' }).where(eq(invitations.id, id))
    const program = { memberId, actor: 'team.invitations-lapse', address: null, requestId: null }
    const details = { subscriptionId: seat.subscriptionId, email: seat.email }
    await recordSystem(tx, program, { action: 'seat.invitation_lapsed', target: seat.id, details, now })
    await publishSeatChange(deps, tx, { happening: 'invitation_lapsed', seat, now })
  }
  return lapsed.length
}

function lapsedSeats(tx: Tx, now: Date) {
  return tx
    .select({ id: seats.id })
    .from(seats)
    .where(
      and(isNull(seats.removedAt), eq(seats.status, 'Pending'), lte(seats.invitedAt, daysLater(now, -invitationDays))),
    )
}
