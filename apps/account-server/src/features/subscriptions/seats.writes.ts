import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import { seats } from './seats.tables.ts'

interface NewOwner {
  subscriptionId: string
  memberId: string
  now: Date
}

/** The Owner holds a license of a new subscription. */
export async function addOwnersSeat(tx: Tx, { subscriptionId, memberId, now }: NewOwner): Promise<void> {
  const [member] = await tx.select({ email: members.email }).from(members).where(eq(members.id, memberId))
  if (!member) throw new Error('the member is gone')
  const { owner: type } = seatTypes
  const row = { subscriptionId, memberId, email: member.email, type, status: 'Accepted', isUse: true } as const
  await tx.insert(seats).values({ ...row, invitedAt: now })
}

interface SeatMove {
  subscriptionId: string
  /** The new Owner. */
  to: { id: string; email: string }
}

/** The Owner's seat is the new Owner's, with the license and the devices on it; the old one has none. */
export async function moveOwnersSeat(tx: Tx, { subscriptionId, to }: SeatMove): Promise<void> {
  const isOwners = and(eq(seats.type, seatTypes.owner), isNull(seats.removedAt))
  await tx
    .update(seats)
    .set({ memberId: to.id, email: to.email, status: 'Accepted' })
    .where(and(eq(seats.subscriptionId, subscriptionId), isOwners))
}
