import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { eraseJobs } from '@atrium/server-kit/erase-jobs.ts'
import { addressHash, lockErasures, secretIdOf } from '@atrium/server-kit/erased-addresses.ts'
import { and, eq, isNull, ne, or } from 'drizzle-orm'
import { lockMember } from '../../db/members.queries.ts'
import { members } from '../../db/members.tables.ts'
import { recordErasure, recordOperator } from '../activity/activity.writes.ts'
import { lockIdentities } from '../session/identities.writes.ts'
import { subjectsOf } from '../session/session.queries.ts'
import { leaveToNobody } from '../subscriptions/ownership/leave-to-nobody.writes.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { erasedAddresses } from './erased-addresses.tables.ts'
import { type LeftCustomers, leaveCustomers } from './leave-customers.ts'
import { lockByAddress, type Obstacle, obstaclesOf, purchasesByAddress } from './obstacles.queries.ts'
import type { Person } from './personal-table.ts'
import { personalTables } from './personal-tables.ts'

interface Erasure {
  /** Lower case. */
  email: string
  /** `ERASURE_SECRET` */
  secret: string
  /** `PAST_DUE_DAYS` */
  pastDueDays: number
  dryRun: boolean
  now: Date
}

export type ErasureOutcome =
  /** Nobody has the address, or they were erased before. */
  | { kind: 'nobody' }
  | { kind: 'several'; memberIds: readonly string[] }
  | { kind: 'refused'; obstacles: readonly Obstacle[] }
  /** Done, or, in a dry run, what would be done. */
  | ({
      kind: 'erased'
      /** Null: only rows with the address were found, such as an invitation. */
      memberId: string | null
      /** Rows changed or deleted, by the name that an export gives them. */
      rows: Readonly<Record<string, number>>
      /** Subscriptions that wait at a provider, or run, and were known by an address alone: they stay there too. */
      purchases: readonly string[]
    } & LeftCustomers)

const noCustomers: LeftCustomers = { deleted: [], detached: [], shared: [] }

class DryRun extends Error {}

/**
 * Deletes or replaces all personal data of whoever has an address, in one transaction. Orders, invoices and licenses stay, without
 * names. A dry run does the same, and rolls it back.
 */
export async function eraseMember(db: Db, erasure: Erasure): Promise<ErasureOutcome> {
  let outcome: ErasureOutcome = { kind: 'nobody' }
  try {
    await db.transaction(async (tx) => {
      outcome = await eraseIn(tx, erasure)
      if (erasure.dryRun) throw new DryRun()
    })
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
  }
  return outcome
}

async function eraseIn(tx: Tx, erasure: Erasure): Promise<ErasureOutcome> {
  const { email, pastDueDays, now } = erasure
  await lockErasures(tx)
  const found = await lockMembersOf(tx, email)
  if (found.length > 1) return { kind: 'several', memberIds: found }

  const memberId = found[0] ?? null
  const at = { now, pastDueDays }
  const obstacles = memberId === null ? [] : await obstaclesOf(tx, memberId, at)
  if (obstacles.length > 0) return { kind: 'refused', obstacles }

  const person: Person = { memberId, email, now }
  const byAddress = memberId === null ? [] : await lockByAddress(tx, memberId, at)
  const listed = byAddress.filter(({ isRunning }) => isRunning).map(({ row }) => row)
  const purchases = [...(await purchasesByAddress(tx, person)), ...listed.map((row) => row.providerId ?? row.id)]
  await recordFreedSeats(tx, person)
  const rows = await eraseRows(tx, person)
  // Afterwards: what orders and seats say of the person is gone by then.
  const left = byAddress.map(({ row }) => row)
  if (left.length > 0) await leaveToNobody(tx, left, { listed, now })
  if (memberId === null && Object.keys(rows).length === 0) return { kind: 'nobody' }

  const erasureId = await storeAddress(tx, erasure)
  if (memberId === null) return { kind: 'erased', memberId, rows, ...noCustomers, purchases }
  const customers = await leaveCustomers(tx, { memberId, erasureId, ...at })
  await recordErasure(tx, memberId, { target: memberId, details: { rows }, now })
  return { kind: 'erased', memberId, rows, ...customers, purchases }
}

/**
 * The members with an address, verified or not, oldest first. Locked against their own requests and against a first sign-in, which
 * would link the address anew.
 */
async function lockMembersOf(tx: Tx, email: string): Promise<string[]> {
  const known = await membersWith(tx, email)
  const subjects = await Promise.all(known.map((id) => subjectsOf(tx, id)))
  await lockIdentities(tx, subjects.flat(), email)
  const found = await membersWith(tx, email)
  for (const id of found) await lockMember(tx, { id })
  return found
}

async function membersWith(tx: Tx, email: string): Promise<string[]> {
  const rows = await tx
    .select({ id: members.id })
    .from(members)
    .where(eq(members.email, email))
    .orderBy(members.createdAt, members.id)
  return rows.map(({ id }) => id)
}

async function eraseRows(tx: Tx, person: Person): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { noun, erase } of personalTables) {
    const count = await erase(tx, person)
    if (count > 0) counts[noun] = count
  }
  const jobs = await eraseJobs(tx, 'account_jobs', person.email)
  return jobs > 0 ? { ...counts, jobs } : counts
}

/** The Owners of the teams that the person leaves find it in their activity, without the address. */
async function recordFreedSeats(tx: Tx, { memberId, email, now }: Person): Promise<void> {
  const isTheirs = or(eq(seats.email, email), memberId === null ? undefined : eq(seats.memberId, memberId))
  const rows = await tx
    .select({
      seatId: seats.id,
      status: seats.status,
      subscriptionId: subscriptions.id,
      ownerId: subscriptions.memberId,
    })
    .from(seats)
    .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
    .where(and(isTheirs, isNull(seats.removedAt), memberId === null ? undefined : ne(subscriptions.memberId, memberId)))
  for (const { seatId, status, subscriptionId, ownerId } of rows) {
    const action = status === 'Pending' ? 'seat.invitation_withdrawn' : 'seat.removed'
    await recordOperator(tx, ownerId, { action, target: seatId, details: { subscriptionId }, now })
  }
}

/** @returns the id of the erasure */
async function storeAddress(tx: Tx, { email, secret, now: erasedAt }: Erasure): Promise<string> {
  const row = { hash: addressHash(secret, email), secretId: secretIdOf(secret), erasedAt }
  const [stored] = await tx
    .insert(erasedAddresses)
    .values(row)
    .onConflictDoUpdate({ target: erasedAddresses.hash, set: { erasedAt } })
    .returning({ id: erasedAddresses.id })
  if (!stored) throw new Error('the erased address was not stored')
  return stored.id
}
