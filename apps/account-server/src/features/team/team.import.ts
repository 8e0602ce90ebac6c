import { seatTypes } from '@atrium/contract/team.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { excluded, importer, lastOfEach, noMember, refused, rowsOf } from '../../db/importer.ts'
import { memberIdsByEmail } from '../../db/members.queries.ts'
import { members } from '../../db/members.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { seats } from './team.tables.ts'

export const seatImporter = importer('seat', async (tx, lines, context) => {
  const memberIds = await memberIdsByEmail(
    tx,
    lines.map(({ record }) => record.email),
  )
  const owners = await ownersOf(
    tx,
    lines.map(({ record }) => record.subscriptionId),
  )
  const rows = rowsOf(
    lastOfEach(lines, ({ record }) => `${record.subscriptionId} ${record.email}`),
    context,
    ({ subscriptionId, email, seatType, status, isUse, invited }) => {
      const owner = owners.get(subscriptionId)
      if (!owner) return refused('subscriptionId', 'there is no such subscription')
      if ((seatType === seatTypes.owner) !== (owner === email)) {
        return refused('seatType', `the Owner is ${owner}, as the subscription says`)
      }
      if (status === 'Accepted' && !memberIds.has(email)) return noMember
      const memberId = status === 'Accepted' ? (memberIds.get(email) ?? null) : null
      return { subscriptionId, email, memberId, type: seatType, status, isUse, invitedAt: new Date(invited) }
    },
  )
  if (rows.length === 0) return

  await makeRoomForOwners(tx, rows)
  await tx
    .insert(seats)
    .values(rows)
    .onConflictDoUpdate({
      target: [seats.subscriptionId, seats.email],
      targetWhere: isNull(seats.removedAt),
      set: excluded(seats, ['memberId', 'type', 'status', 'isUse', 'invitedAt']),
    })
})

/** Addresses of Owners by subscription. */
async function ownersOf(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await tx
    .select({ id: subscriptions.id, email: members.email })
    .from(subscriptions)
    .innerJoin(members, eq(members.id, subscriptions.memberId))
    .where(inArray(subscriptions.id, [...new Set(ids)]))
  return new Map(found.map(({ id, email }) => [id, email]))
}

/** An Owner of before becomes a Member when the vendor names another. */
async function makeRoomForOwners(tx: Tx, rows: readonly { subscriptionId: string; email: string; type: number }[]) {
  for (const { subscriptionId, email } of rows.filter(({ type }) => type === seatTypes.owner)) {
    await tx
      .update(seats)
      .set({ type: seatTypes.member })
      .where(
        and(
          eq(seats.subscriptionId, subscriptionId),
          eq(seats.type, seatTypes.owner),
          ne(seats.email, email),
          isNull(seats.removedAt),
        ),
      )
  }
}
