import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { products } from '../../catalog/catalog.tables.ts'
import type { EndedSeatJob } from '../../subscriptions/ownership/end-team.writes.ts'
import { seats } from '../../subscriptions/seats.tables.ts'
import { subscriptions } from '../../subscriptions/subscriptions.tables.ts'
import { emailEndedSeat } from '../emails/team-emails.writes.ts'
import { endInvitations } from '../invitations/invitations.writes.ts'
import { publishSeatChange } from './seat-changes.writes.ts'

/** What a removal does besides, of a seat that ended with an Owner who never was one: the link is void, and the person is emailed once. */
export async function tellOfEndedSeat(
  deps: Pick<Deps, 'db' | 'config' | 'jobs'>,
  jobs: Pick<Jobs, 'sendEach'>,
  { seatId }: EndedSeatJob,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [found] = await tx
      .select({ seat: seats, appName: products.name })
      .from(seats)
      .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
      .innerJoin(products, eq(products.code, subscriptions.productCode))
      .where(eq(seats.id, seatId))
    if (!found?.seat.removedAt) return
    const { seat, appName } = found
    const isPending = seat.status === 'Pending'
    await endInvitations(tx, seat.id, 'withdrawn')
    const happening = isPending ? 'invitation_withdrawn' : 'removed'
    await publishSeatChange(deps, tx, { happening, seat, now: found.seat.removedAt })
    if (!isPending) await emailEndedSeat({ ...deps, jobs }, tx, { appName, seat })
  })
}
