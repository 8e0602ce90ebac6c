import { seatTypes } from '@atrium/contract/seat-types.ts'
import { excluded, type Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Context, importer, type Line, noMember, refused, rowsOf } from '../../db/importer.ts'
import { memberIdsByEmail } from '../../db/members.queries.ts'
import { members } from '../../db/members.tables.ts'
import { seatsTaken } from '../subscriptions/seats.queries.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { lockSubscriptions } from '../subscriptions/subscriptions.queries.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

export const seatImporter = importer('seat', async (tx, lines, context) => {
  await lockTeams(tx, lines)
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
    const importedAs = JSON.stringify([seatType, status, isUse, invited])
    return { subscriptionId, email, memberId, type: seatType, status, isUse, invitedAt: new Date(invited), importedAs }
  })
  const linesByKey = new Map(lines.map((line) => [keyOf(line.record), line]))
  const news = await newsOf(tx, rows, (row) => {
    const line = linesByKey.get(keyOf(row))
    if (line) context.warn(line, 'email', 'was removed here after `invited`: not applied')
  })
  if (news.length === 0) return

  await makeRoomForOwners(tx, news, context.now)
  await tx
    .insert(seats)
    .values(news)
    .onConflictDoUpdate({
      target: [seats.subscriptionId, seats.email],
      targetWhere: isNull(seats.removedAt),
      set: {
        ...excluded(seats, ['type', 'invitedAt', 'importedAs']),
        memberId: unlessAccepted(seats.memberId),
        status: unlessAccepted(seats.status),
        isUse: unlessAccepted(seats.isUse),
      },
    })
})

/** As every change of a team does: the subscriptions, and then the seats that may change, each in the order of their ids. */
async function lockTeams(tx: Tx, lines: readonly Line<'seat'>[]): Promise<void> {
  const ids = [...new Set(lines.map(({ record }) => record.subscriptionId))]
  const emails = [...new Set(lines.map(({ record }) => record.email))]
  await lockSubscriptions(tx, ids)
  const { id, subscriptionId, email, type, removedAt } = seats
  const mayChange = or(inArray(email, emails), eq(type, seatTypes.owner))
  await tx
    .select({ id })
    .from(seats)
    .where(and(inArray(subscriptionId, ids), mayChange, isNull(removedAt)))
    .orderBy(asc(id))
    .for('update')
}

/** Who has accepted here stays, and so does their license, although a file still calls them invited. */
function unlessAccepted(column: AnyPgColumn): SQL {
  const isAccepted = sql`${seats.status} = 'Accepted' and excluded.status = 'Pending'`
  return sql`case when ${isAccepted} then ${column} else excluded.${sql.identifier(column.name)} end`
}

type Row = Pick<typeof seats.$inferSelect, 'subscriptionId' | 'email' | 'type' | 'invitedAt'> & { importedAs: string }

/**
 * Rows that say something else than the last time, and of whom was removed here, only what happened since: also when they are in the team again,
 * since what a file says of the seat before is nothing to the one of now. Nobody removes an Owner: a seat that ended before they were the Owner
 * last, or with that, was not removed here.
 */
async function newsOf<Imported extends Row>(
  tx: Tx,
  rows: readonly Imported[],
  warnRemoved: (row: Imported) => void,
): Promise<Imported[]> {
  const { subscriptionId, email, type, removedAt, importedAs } = seats
  const known = await tx
    .select({ subscriptionId, email, type, removedAt, importedAs })
    .from(seats)
    .where(
      and(
        inArray(subscriptionId, [...new Set(rows.map((row) => row.subscriptionId))]),
        inArray(email, [...new Set(rows.map((row) => row.email))]),
      ),
    )
    // Null, the one that is not removed, comes last.
    .orderBy(asc(removedAt))
  const seatsByKey = Map.groupBy(known, keyOf)
  return rows.filter((row) => {
    const all = seatsByKey.get(keyOf(row)) ?? []
    const ownersAt = all.findLastIndex((seat) => seat.type === seatTypes.owner)
    const theirs = all.slice(Math.max(0, ownersAt))
    const said = theirs.findLast((seat) => seat.importedAs !== null)?.importedAs
    const isThere = theirs.some((seat) => seat.removedAt === null)
    if (isThere && said === row.importedAs) return false
    const removals = theirs.flatMap((seat) => (seat.type === seatTypes.owner ? [] : (seat.removedAt ?? [])))
    const isSince = removals.every((at) => row.invitedAt > at)
    if (!isSince) warnRemoved(row)
    return isSince
  })
}

const keyOf = ({ subscriptionId, email }: { subscriptionId: string; email: string }) => `${subscriptionId} ${email}`

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

/** A seat of another address is of who was the Owner before: as with any change of the Owner, it ends. */
async function makeRoomForOwners(
  tx: Tx,
  rows: readonly { subscriptionId: string; email: string; type: number }[],
  now: Date,
) {
  for (const { subscriptionId, email } of rows.filter(({ type }) => type === seatTypes.owner)) {
    await tx
      .update(seats)
      .set({ removedAt: now })
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
