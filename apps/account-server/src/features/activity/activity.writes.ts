import type { ActivityAction } from '@atrium/contract/activity.ts'
import type { Member, Visitor } from '@atrium/server-kit/caller.ts'
import { prepared, type Tx } from '@atrium/server-kit/database.ts'
import { networkOf } from '@atrium/server-kit/network.ts'
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { activity } from './activity.tables.ts'

interface Happening {
  action: ActivityAction
  /** Id of the changed object. */
  target: string
  /** Non-secret fields before and after. */
  details?: Readonly<Record<string, unknown>>
  now: Date
}

/** The member and the origin of the request. */
interface Actor extends Pick<Member, 'id' | 'requestId'> {
  /** Null if no longer known. */
  address: string | null
}

/** A program that acts on its own or for a person. */
interface Program {
  /** Its name. */
  actor: string
  /** The member whose account is affected; null: none. */
  memberId: string | null
  /** Of the request, if there was one. */
  address: string | null
  requestId: string | null
}

/** Records what a member did in their own account; call it in the same transaction. */
export function record(tx: Tx, { id, address, requestId }: Actor, happening: Happening): Promise<void> {
  return write(tx, { memberId: id, actor: id, actorKind: 'member', address, requestId }, happening)
}

/** Records what a member did in an account that may be a colleague's: a team's is its Owner's. */
export function recordIn(tx: Tx, memberId: string, actor: Actor, happening: Happening): Promise<void> {
  const { id, address, requestId } = actor
  const actorKind = id === memberId ? 'member' : 'colleague'
  return write(tx, { memberId, actor: id, actorKind, address, requestId }, happening)
}

/** Records the import of a vendor's file: one row per file. */
export function recordImport(tx: Tx, happening: Omit<Happening, 'action'>): Promise<void> {
  const actor = { memberId: null, actor: 'import', actorKind: 'vendor', address: null, requestId: null } as const
  return write(tx, actor, { ...happening, action: 'import.applied' })
}

/** Records the operator's word that the shop had confirmed all addresses of what was bought before a day: one row for all members. */
export function recordConfirmedAddresses(tx: Tx, happening: Omit<Happening, 'action'>): Promise<void> {
  const actor = { memberId: null, actor: 'operator', actorKind: 'vendor', address: null, requestId: null } as const
  return write(tx, actor, { ...happening, action: 'addresses.confirmed' })
}

/** Records what an operator did in a member's account with a command. */
export function recordOperator(tx: Tx, memberId: string, happening: Happening): Promise<void> {
  const actor = { memberId, actor: 'operator', actorKind: 'vendor', address: null, requestId: null } as const
  return write(tx, actor, happening)
}

/** Records that an operator erased a member's personal data. */
export function recordErasure(tx: Tx, memberId: string, happening: Omit<Happening, 'action'>): Promise<void> {
  const actor = { memberId, actor: 'operator', actorKind: 'vendor', address: null, requestId: null } as const
  return write(tx, actor, { ...happening, action: 'member.erased' })
}

/** Records what a payment provider changed in a member's account: a renewal, a failed payment, an edit in its dashboard. */
export function recordProvider(tx: Tx, memberId: string, happening: Happening): Promise<void> {
  const actor = { memberId, actor: 'card-provider', actorKind: 'provider', address: null, requestId: null } as const
  return write(tx, actor, happening)
}

/** Records what a support agent did in an account. @param agent their subject at the single sign-on */
export function recordSupport(
  tx: Tx,
  { agent, memberId, address, requestId }: { agent: string; memberId: string | null } & Omit<Actor, 'id'>,
  happening: Omit<Happening, 'action'> & { action: ActivityAction | 'support.signed_in' },
): Promise<void> {
  return write(tx, { memberId, actor: agent, actorKind: 'support', address, requestId }, happening)
}

/** For how long refusals are counted in one row, in milliseconds. */
const countedMs = 600_000

type Refusal = Omit<Happening, 'action' | 'details'> & { action: 'transfer.codes_refused' | 'support.refused' }

/**
 * Records something wrong that a member or a support agent entered. What one network sends in ten minutes is one row, which counts
 * it: guessing cannot fill the log. The row names the network as the limits do, a single address of IPv4 or a /64 of IPv6.
 * @param memberId null: no member's account
 */
export async function recordRefusal(
  tx: Tx,
  { actor, memberId, address, requestId }: { actor: string; memberId: string | null } & Visitor,
  { action, target, now }: Refusal,
): Promise<void> {
  const network = networkOf(address)
  // Concurrent guesses are counted, too, instead of having a row each.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${action} ${actor} ${network}`}, 0))`)
  const [counted] = await tx
    .select({ id: activity.id })
    .from(activity)
    .where(
      and(
        memberId === null ? isNull(activity.memberId) : eq(activity.memberId, memberId),
        eq(activity.actor, actor),
        eq(activity.action, action),
        eq(activity.address, network),
        gt(activity.at, new Date(now.getTime() - countedMs)),
      ),
    )
    .orderBy(desc(activity.at))
    .limit(1)
  const lastAt = now.toISOString()
  if (!counted) {
    const actorKind = memberId === null ? 'support' : 'member'
    const details = { count: 1, lastAt }
    return write(tx, { memberId, actor, actorKind, address: network, requestId }, { action, target, details, now })
  }
  const more = sql`jsonb_build_object('count', (${activity.details} ->> 'count')::int + 1, 'lastAt', ${lastAt}::text)`
  await tx
    .update(activity)
    .set({ details: sql`${activity.details} || ${more}` })
    .where(eq(activity.id, counted.id))
}

/** Records what a program did in a member's account. */
export function recordSystem(tx: Tx, program: Program, happening: Happening): Promise<void> {
  const { memberId, actor, address, requestId } = program
  return write(tx, { memberId, actor, actorKind: 'system', address, requestId }, happening)
}

/** Also of what no member reads in their account. */
type StoredAction =
  | ActivityAction
  | 'import.applied'
  | 'addresses.confirmed'
  | 'member.erased'
  | 'support.signed_in'
  | 'support.refused'

type Row = typeof activity.$inferInsert

async function write(
  tx: Tx,
  who: Pick<Row, 'memberId' | 'actor' | 'actorKind' | 'address' | 'requestId'>,
  { action, target, details = {}, now }: Omit<Happening, 'action'> & { action: StoredAction },
): Promise<void> {
  await newActivity(tx).execute({ ...who, at: now, action, target, details })
}

const newActivity = prepared('activity_insert', (db, name) =>
  db
    .insert(activity)
    .values({
      at: sql.placeholder('at'),
      memberId: sql.placeholder('memberId'),
      actor: sql.placeholder('actor'),
      actorKind: sql.placeholder('actorKind'),
      action: sql.placeholder('action'),
      target: sql.placeholder('target'),
      details: sql.placeholder('details'),
      address: sql.placeholder('address'),
      requestId: sql.placeholder('requestId'),
    })
    .prepare(name),
)
