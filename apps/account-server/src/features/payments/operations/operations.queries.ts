import type { Member } from '@atrium/server-kit/caller.ts'
import type { Db, Reader } from '@atrium/server-kit/database.ts'
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
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
  /** Also of these kinds, about anything else; an unresolved one counts unless it waits for the customer. */
  running?: readonly OperationKind[]
}

function isOfKinds({ kinds, subject }: Kinds): SQL | undefined {
  const { kind, subject: about } = providerOperations
  return and(inArray(kind, [...kinds]), subject === undefined ? undefined : eq(about, subject))
}

function isOther({ running = [], subject = '' }: Kinds): SQL | undefined {
  const { kind, subject: about } = providerOperations
  return and(inArray(kind, [...running]), ne(about, subject))
}

/** Unresolved ones that hold up others. */
function holdsUp(kinds: Kinds): SQL | undefined {
  return and(isUnresolved, or(isOfKinds(kinds), and(isOther(kinds), eq(providerOperations.status, 'pending'))))
}

/** How many operations of these kinds a member has, and how many of them are unresolved. */
export async function operationCounts(db: Reader, member: Pick<Member, 'id'>, kinds: Kinds) {
  if (kinds.kinds.length === 0 && !kinds.running) return { all: 0, unresolved: 0 }
  const [counts] = await db
    .select({ all: count(), unresolved: sql<number>`count(*) filter (where ${holdsUp(kinds)})`.mapWith(Number) })
    .from(providerOperations)
    .where(and(eq(providerOperations.memberId, member.id), or(isOfKinds(kinds), isOther(kinds))))
  return counts ?? { all: 0, unresolved: 0 }
}

/** A member's unresolved operations of these kinds, oldest first. */
export function unresolvedOf(db: Reader, member: Pick<Member, 'id'>, kinds: Kinds) {
  return db
    .select()
    .from(providerOperations)
    .where(and(eq(providerOperations.memberId, member.id), holdsUp(kinds)))
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

interface WithInput {
  kind: OperationKind
  input: Readonly<Record<string, string>>
}

function isWithInput(member: Pick<Member, 'id'>, { kind, input }: WithInput): SQL | undefined {
  const { memberId, kind: storedKind, input: storedInput } = providerOperations
  const isStored = sql`${storedInput} @> ${JSON.stringify(input)}::jsonb`
  return and(eq(memberId, member.id), eq(storedKind, kind), isStored)
}

/** Subjects of what a member has asked a provider for, and was done, by what was stored as input. */
export async function subjectsOfSucceeded(
  db: Reader,
  member: Pick<Member, 'id'>,
  asked: WithInput,
): Promise<Set<string>> {
  const { subject, status } = providerOperations
  const rows = await db
    .select({ subject })
    .from(providerOperations)
    .where(and(isWithInput(member, asked), eq(status, 'succeeded')))
  return new Set(rows.map((row) => row.subject))
}
