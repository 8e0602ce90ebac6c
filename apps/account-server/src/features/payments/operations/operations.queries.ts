import type { Member } from '@atrium/server-kit/caller.ts'
import type { Db, Reader } from '@atrium/server-kit/database.ts'
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { OperationKind } from './operation-kinds.ts'
import { type OperationRow, providerOperations } from './operations.tables.ts'

const isUnresolved = isNull(providerOperations.resolvedAt)

export async function operationById(db: Reader, id: string): Promise<OperationRow | undefined> {
  const [row] = await db.select().from(providerOperations).where(eq(providerOperations.id, id))
  return row
}

/** A member's operations of a kind that are unresolved or were resolved since a moment, newest first. */
export function operationsSince(db: Reader, member: Pick<Member, 'id'>, kind: OperationKind, since: Date) {
  const { memberId, kind: kindColumn, createdAt, resolvedAt } = providerOperations
  return db
    .select()
    .from(providerOperations)
    .where(and(eq(memberId, member.id), eq(kindColumn, kind), or(gt(resolvedAt, since), isUnresolved)))
    .orderBy(desc(createdAt))
}

/** The newest operation about a provider's object. */
export async function operationOfObject(db: Reader, kind: OperationKind, objectId: string) {
  const [row] = await db
    .select()
    .from(providerOperations)
    .where(and(eq(providerOperations.objectId, objectId), eq(providerOperations.kind, kind)))
    .orderBy(desc(providerOperations.createdAt))
    .limit(1)
  return row
}

/** The operation that was sent to a provider about one of its objects, and whose outcome is not known yet. */
export async function openOperationOn(db: Reader, objectId: string): Promise<OperationRow | undefined> {
  const [row] = await db
    .select()
    .from(providerOperations)
    .where(and(eq(providerOperations.objectId, objectId), isUnresolved, isNotNull(providerOperations.calledAt)))
    .orderBy(desc(providerOperations.createdAt))
    .limit(1)
  return row
}

/** A member's newest operation about something. */
export async function lastOperationAbout(
  db: Reader,
  member: Pick<Member, 'id'>,
  about: { kind: OperationKind; subject: string },
): Promise<OperationRow | undefined> {
  const { memberId, kind, subject, createdAt } = providerOperations
  const [row] = await db
    .select()
    .from(providerOperations)
    .where(and(eq(memberId, member.id), eq(kind, about.kind), eq(subject, about.subject)))
    .orderBy(desc(createdAt))
    .limit(1)
  return row
}

interface Kinds {
  kinds: readonly OperationKind[]
  /** Only those about this; undefined: about anything. */
  subject?: string | undefined
}

function ofKinds(member: Pick<Member, 'id'>, { kinds, subject }: Kinds) {
  const { memberId, kind, subject: about } = providerOperations
  return and(eq(memberId, member.id), inArray(kind, [...kinds]), subject === undefined ? undefined : eq(about, subject))
}

/** How many operations of these kinds a member has, and how many of them are unresolved. */
export async function operationCounts(db: Reader, member: Pick<Member, 'id'>, { kinds, subject }: Kinds) {
  if (kinds.length === 0) return { all: 0, unresolved: 0 }
  const ofMember = ofKinds(member, { kinds, subject })
  const [counts] = await db
    .select({ all: count(), resolved: count(providerOperations.resolvedAt) })
    .from(providerOperations)
    .where(ofMember)
  const { all = 0, resolved = 0 } = counts ?? {}
  return { all, unresolved: all - resolved }
}

/** A member's unresolved operations of these kinds, oldest first. */
export function unresolvedOf(db: Reader, member: Pick<Member, 'id'>, { kinds, subject }: Kinds) {
  return db
    .select()
    .from(providerOperations)
    .where(and(ofKinds(member, { kinds, subject }), isUnresolved))
    .orderBy(asc(providerOperations.createdAt), asc(providerOperations.id))
}

/** How many required children of an operation are unresolved. */
export function unresolvedChildren(db: Db, parentId: string): Promise<number> {
  const { parentId: parent, isRequired } = providerOperations
  return db.$count(providerOperations, and(eq(parent, parentId), isRequired, isUnresolved))
}

/** Unresolved operations that are due for a check, longest waiting first. */
export function operationsToCheck(db: Reader, now: Date, limit: number) {
  return db
    .select()
    .from(providerOperations)
    .where(and(isUnresolved, lt(providerOperations.nextCheckAt, now)))
    .orderBy(asc(providerOperations.nextCheckAt))
    .limit(limit)
}

/** Unresolved operations by kind. `late`: created before a moment, and not waiting for the customer. */
export function unresolvedCounts(db: Reader, before: Date) {
  const late = and(lt(providerOperations.createdAt, before), eq(providerOperations.status, 'pending'))
  return db
    .select({
      kind: providerOperations.kind,
      unresolved: count(),
      late: sql<number>`count(*) filter (where ${late})`.mapWith(Number),
    })
    .from(providerOperations)
    .where(isUnresolved)
    .groupBy(providerOperations.kind)
}
