import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared, type Tx } from '@atrium/server-kit/database.ts'
import { sql } from 'drizzle-orm'
import { activity } from './activity.tables.ts'

interface Happening {
  /** `area.verb`. */
  action: string
  /** Id of what was changed. */
  target: string
  /** Before and after of fields that are no secrets. */
  details?: Readonly<Record<string, unknown>>
  now: Date
}

/** Who did it, and from where. */
interface Actor extends Pick<Member, 'id' | 'requestId'> {
  /** Null: it is no longer known. */
  address: string | null
}

/** A program that acts on its own, or for whoever uses it. */
interface Program {
  /** Its name. */
  actor: string
  /** In whose account; null: nobody's. */
  memberId: string | null
  address: string
  requestId: string
}

/** Writes what a member did in their own account; call it in the transaction that does it. */
export function record(tx: Tx, { id, address, requestId }: Actor, happening: Happening): Promise<void> {
  return write(tx, { memberId: id, actor: id, actorKind: 'member', address, requestId }, happening)
}

/** Writes what a file of the vendor's brought: one row for the whole file. */
export function recordImport(tx: Tx, happening: Happening): Promise<void> {
  const actor = { memberId: null, actor: 'import', actorKind: 'vendor', address: null, requestId: null } as const
  return write(tx, actor, happening)
}

/** Writes what an operator of the vendor's did in a member's account, with a command. */
export function recordOperator(tx: Tx, memberId: string, happening: Happening): Promise<void> {
  const actor = { memberId, actor: 'operator', actorKind: 'vendor', address: null, requestId: null } as const
  return write(tx, actor, happening)
}

/** Writes what a program did in a member's account. */
export function recordSystem(tx: Tx, program: Program, happening: Happening): Promise<void> {
  const { memberId, actor, address, requestId } = program
  return write(tx, { memberId, actor, actorKind: 'system', address, requestId }, happening)
}

type Row = typeof activity.$inferInsert

async function write(
  tx: Tx,
  who: Pick<Row, 'memberId' | 'actor' | 'actorKind' | 'address' | 'requestId'>,
  { action, target, details = {}, now }: Happening,
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
