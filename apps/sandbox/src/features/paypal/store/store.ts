import { excluded, prepared, type Reader, type Tx } from '@atrium/server-kit/database.ts'
import { and, asc, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import { paypalObjects } from './paypal.tables.ts'
import { isOf, type Kind, type Stored, type StoredOf } from './stored.ts'

type ObjectOf<K extends Kind> = StoredOf<K>['object']

export async function find<K extends Kind>(db: Reader, kind: K, id: string): Promise<ObjectOf<K> | undefined> {
  const [row] = await byId(db).execute({ id })
  return row && objectOf(row.stored, kind)
}

/** Locks it until the end of the transaction. */
export async function findLocked<K extends Kind>(tx: Tx, kind: K, id: string): Promise<ObjectOf<K> | undefined> {
  const [row] = await lockedById(tx).execute({ id })
  return row && objectOf(row.stored, kind)
}

const selectById = (db: Reader) =>
  db
    .select({ stored: paypalObjects.stored })
    .from(paypalObjects)
    .where(and(eq(paypalObjects.id, sql.placeholder('id')), eq(paypalObjects.isDeleted, false)))

const byId = prepared('paypal_object', (db, name) => selectById(db).prepare(name))
const lockedById = prepared('paypal_object_locked', (db, name) => selectById(db).for('update').prepare(name))

function objectOf<K extends Kind>(stored: Stored, kind: K): ObjectOf<K> | undefined {
  return isOf(stored, kind) ? stored.object : undefined
}

/** Saves a new or changed object. */
export async function save(tx: Tx, stored: Stored): Promise<void> {
  const { id, createdAt } = stored.object
  const { dueAt, ...columns } = columnsOf(stored)
  const row = { id, kind: stored.kind, createdAt: new Date(createdAt), stored, ...columns }
  await upsert(tx).execute({ ...row, dueAt: dueAt?.toISOString() ?? null })
}

const upsert = prepared('paypal_object_upsert', (db, name) =>
  db
    .insert(paypalObjects)
    .values({
      id: sql.placeholder('id'),
      kind: sql.placeholder('kind'),
      createdAt: sql.placeholder('createdAt'),
      parent: sql.placeholder('parent'),
      approvalToken: sql.placeholder('approvalToken'),
      // Without the column's own encoding, which knows no null.
      dueAt: sql`${sql.placeholder('dueAt')}`,
      invoiceId: sql.placeholder('invoiceId'),
      stored: sql.placeholder('stored'),
    })
    .onConflictDoUpdate({
      target: paypalObjects.id,
      set: excluded(paypalObjects, ['kind', 'createdAt', 'parent', 'approvalToken', 'dueAt', 'invoiceId', 'stored']),
    })
    .prepare(name),
)

/** A deleted object is not found any more. */
export async function markDeleted(tx: Tx, id: string): Promise<void> {
  await tx.update(paypalObjects).set({ isDeleted: true }).where(eq(paypalObjects.id, id))
}

function columnsOf(stored: Stored) {
  const none = { parent: null, approvalToken: null, dueAt: null, invoiceId: null }
  if (stored.kind === 'plan') return { ...none, parent: stored.object.productId }
  if (stored.kind === 'sale') return { ...none, parent: stored.object.subscriptionId }
  if (stored.kind === 'refund') return { ...none, parent: stored.object.paymentId }
  if (stored.kind === 'capture') {
    return { ...none, parent: stored.object.orderId, invoiceId: stored.object.invoiceId }
  }
  if (stored.kind === 'subscription') {
    const { planId, approval } = stored.object
    return { ...none, parent: planId, approvalToken: approval?.token ?? null, dueAt: dueAt(stored.object) }
  }
  return none
}

function dueAt({ status, nextBillingAt, retry, lateHours = 0 }: StoredOf<'subscription'>['object']): Date | null {
  if (status !== 'ACTIVE') return null
  // An unpaid cycle stays due: it is tried again before the next one is billed.
  if (retry) return new Date(retry.at)
  return nextBillingAt === null ? null : new Date(new Date(nextBillingAt).getTime() + lateHours * 3_600_000)
}

interface Listing<K extends Kind> {
  kind: K
  where?: (SQL | undefined)[]
  /** From 1. */
  page: number
  pageSize: number
  isNewestFirst?: boolean
}

/** A page of the objects of one kind, and how many there are. */
export async function list<K extends Kind>(
  db: Reader,
  { kind, where = [], page, pageSize, isNewestFirst = true }: Listing<K>,
): Promise<{ objects: ObjectOf<K>[]; total: number }> {
  const wanted = and(eq(paypalObjects.kind, kind), eq(paypalObjects.isDeleted, false), ...where)
  const rows = await db
    .select({ stored: paypalObjects.stored })
    .from(paypalObjects)
    .where(wanted)
    .orderBy(isNewestFirst ? desc(paypalObjects.place) : asc(paypalObjects.place))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const objects = rows.flatMap(({ stored }) => objectOf(stored, kind) ?? [])
  // A page that is not full is the last one.
  const isLast = rows.length < pageSize && (rows.length > 0 || page === 1)
  if (isLast) return { objects, total: (page - 1) * pageSize + rows.length }
  const [counted] = await db.select({ total: count() }).from(paypalObjects).where(wanted)
  return { objects, total: counted?.total ?? 0 }
}

/** All objects of one kind that belong to another object, oldest first. */
export async function children<K extends Kind>(db: Reader, kind: K, parent: string): Promise<ObjectOf<K>[]> {
  const rows = await ofParent(db).execute({ parent, kind })
  return rows.flatMap(({ stored }) => objectOf(stored, kind) ?? [])
}

const ofParent = prepared('paypal_objects_of_parent', (db, name) =>
  db
    .select({ stored: paypalObjects.stored })
    .from(paypalObjects)
    .where(and(eq(paypalObjects.parent, sql.placeholder('parent')), eq(paypalObjects.kind, sql.placeholder('kind'))))
    .orderBy(asc(paypalObjects.place))
    .prepare(name),
)
