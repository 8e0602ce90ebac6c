import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { type Context, excluded, importer, noMember, refused, rowsOf } from '../../db/importer.ts'
import { memberIdsByEmail } from '../../db/members.queries.ts'
import { members } from '../../db/members.tables.ts'
import { seatsTaken } from '../subscriptions/seats.queries.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

export const seatImporter = importer('seat', async (tx, lines, context) => {
  const memberIds = await memberIdsByEmail(
    tx,
    lines.map(({ record }) => record.email),
  )
  const owners = await ownersOf(
    tx,
    lines.map(({ record }) => record.subscriptionId),
  )
  const rows = rowsOf(lines, context, ({ subscriptionId, email, seatType, status, isUse, invited }) => {
    const owner = owners.get(subscriptionId)
    if (!owner) return refused('subscriptionId', 'there is no such subscription')
    if ((seatType === seatTypes.owner) !== (owner === email)) {
      return refused('seatType', `the Owner is ${owner}, as the subscription says`)
    }
    if (status === 'Accepted' && !memberIds.has(email)) return noMember
    const memberId = status === 'Accepted' ? (memberIds.get(email) ?? null) : null
    return { subscriptionId, email, memberId, type: seatType, status, isUse, invitedAt: new Date(invited) }
  })
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

/** Warns if a subscription has more seats taken than paid, for its own line and those of its seats. */
export const seatCheckOfSubscriptions = importer('subscription', warnOfSeats)
export const seatCheckOfSeats = importer('seat', warnOfSeats)

async function warnOfSeats(
  tx: Tx,
  lines: readonly { number: number; record: { subscriptionId: string } }[],
  { now, warn }: Pick<Context, 'now' | 'warn'>,
): Promise<void> {
  const lastLines = new Map(lines.map((line) => [line.record.subscriptionId, line]))
  const counted = await tx
    .select({
      id: subscriptions.id,
      userCount: subscriptions.userCount,
      taken: seatsTaken(sql`${subscriptions}.id`, now),
    })
    .from(subscriptions)
    .where(inArray(subscriptions.id, [...lastLines.keys()]))
  for (const { id, userCount, taken } of counted) {
    const line = lastLines.get(id)
    if (line && taken > userCount) warn(line, 'subscriptionId', `${taken} seats are taken, and ${userCount} are paid`)
  }
}

/** E-mail addresses of Owners by subscription. */
async function ownersOf(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await tx
    .select({ id: subscriptions.id, email: members.email })
    .from(subscriptions)
    .innerJoin(members, eq(members.id, subscriptions.memberId))
    .where(inArray(subscriptions.id, [...new Set(ids)]))
  return new Map(found.map(({ id, email }) => [id, email]))
}

/** When the vendor names another Owner, the previous one becomes a Member. */
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
