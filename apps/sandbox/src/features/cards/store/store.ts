import { excluded, prepared, type Reader, type Tx } from '@atrium/server-kit/database.ts'
import { and, asc, desc, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { PgTransaction } from 'drizzle-orm/pg-core'
import type Stripe from 'stripe'
import { invalidRequest, noSuch } from '../wire/refusal.ts'
import { cardObjects } from './cards.tables.ts'
import { columnsOf } from './columns.ts'
import { isOf, type Kind, type Stored, type StoredOf } from './stored.ts'

export async function find<K extends Kind>(tx: Reader, kind: K, id: string): Promise<StoredOf<K> | undefined> {
  const known = readIn(tx)
  const stored = known.has(id) ? known.get(id) : (await byId(tx).execute({ id }))[0]?.stored
  known.set(id, stored)
  return stored && isOf(stored, kind) ? stored : undefined
}

/** Reads at once what a transaction is about to find one by one. */
export async function readAhead(tx: Tx, ids: readonly string[]): Promise<void> {
  const known = readIn(tx)
  const wanted = [...new Set(ids)].filter((id) => !known.has(id))
  if (wanted.length < 2) return
  const rows = await tx
    .select({ id: cardObjects.id, stored: cardObjects.stored })
    .from(cardObjects)
    .where(and(inArray(cardObjects.id, wanted), eq(cardObjects.isDeleted, false)))
  const found = new Map(rows.map(({ id, stored }) => [id, stored]))
  for (const id of wanted) known.set(id, found.get(id))
}

/** Locks it until the end of the request. */
export async function findLocked<K extends Kind>(tx: Tx, kind: K, id: string): Promise<StoredOf<K> | undefined> {
  const [row] = await lockedById(tx).execute({ id })
  // Another request may have had the lock, and have changed anything.
  const known = forgetRead(tx)
  known.set(id, row?.stored)
  return row && isOf(row.stored, kind) ? row.stored : undefined
}

const selectById = (db: Reader) =>
  db
    .select({ stored: cardObjects.stored })
    .from(cardObjects)
    .where(and(eq(cardObjects.id, sql.placeholder('id')), eq(cardObjects.isDeleted, false)))

const byId = prepared('card_object', (db, name) => selectById(db).prepare(name))
const lockedById = prepared('card_object_locked', (db, name) => selectById(db).for('update').prepare(name))

type Known = Map<string, Stored | undefined>

/** What a transaction has read or saved since its last lock, by id: an object is in the way of a dozen steps of one request. */
const reads = new WeakMap<object, Known>()

/** Nothing is remembered outside of a transaction. */
function readIn(tx: Reader): Known {
  return reads.get(tx) ?? (tx instanceof PgTransaction ? forgetRead(tx) : new Map())
}

/** After another lock than that of `findLocked`, too. */
export function forgetRead(tx: object): Known {
  const known: Known = new Map()
  reads.set(tx, known)
  return known
}

/** Saves a new or changed object. */
export async function save(tx: Tx, stored: Stored): Promise<void> {
  const { id } = stored.object
  await upsert(tx).execute({ id, kind: stored.kind, stored, ...columnsOf(stored) })
  readIn(tx).set(id, stored)
}

const filtered = [
  'customer',
  'email',
  'paymentMethod',
  'intent',
  'eventType',
  'challengeToken',
  'lookupKey',
  'product',
  'subscription',
  'invoice',
  'status',
  'created',
  'dueAt',
] as const

const upsert = prepared('card_object_upsert', (db, name) =>
  db
    .insert(cardObjects)
    .values({
      id: sql.placeholder('id'),
      kind: sql.placeholder('kind'),
      customer: sql.placeholder('customer'),
      email: sql.placeholder('email'),
      paymentMethod: sql.placeholder('paymentMethod'),
      intent: sql.placeholder('intent'),
      eventType: sql.placeholder('eventType'),
      challengeToken: sql.placeholder('challengeToken'),
      lookupKey: sql.placeholder('lookupKey'),
      product: sql.placeholder('product'),
      subscription: sql.placeholder('subscription'),
      invoice: sql.placeholder('invoice'),
      status: sql.placeholder('status'),
      created: sql.placeholder('created'),
      dueAt: sql.placeholder('dueAt'),
      stored: sql.placeholder('stored'),
    })
    .onConflictDoUpdate({ target: cardObjects.id, set: excluded(cardObjects, ['kind', 'stored', ...filtered]) })
    .prepare(name),
)

/** A deleted object is not found any more, but stays known as deleted. */
export async function markDeleted(tx: Tx, id: string): Promise<void> {
  await tx
    .update(cardObjects)
    .set({ isDeleted: true, email: null, lookupKey: null, dueAt: null })
    .where(eq(cardObjects.id, id))
  readIn(tx).set(id, undefined)
}

/** Whether an object of this kind existed and was deleted. */
export async function isDeleted(tx: Reader, kind: Kind, id: string): Promise<boolean> {
  const [row] = await tx
    .select({ gone: cardObjects.isDeleted })
    .from(cardObjects)
    .where(and(eq(cardObjects.id, id), eq(cardObjects.kind, kind)))
  return row?.gone ?? false
}

interface Page {
  limit: number
  starting_after?: string | undefined
  ending_before?: string | undefined
}

interface Listing<K extends Kind> {
  kind: K
  /** Its name in the provider's messages. */
  noun: string
  /** The `url` of the list. */
  url: string
  page: Page
  where: (SQL | undefined)[]
}

/**
 * A page of a list, newest first.
 * @throws Refusal if the cursor is not in the list, or there are two cursors
 */
export async function listed<K extends Kind>(
  tx: Reader,
  { kind, noun, url, page, where }: Listing<K>,
): Promise<Stripe.ApiList<StoredOf<K>['object']>> {
  const isBackwards = page.ending_before !== undefined
  const rows = await tx
    .select({ stored: cardObjects.stored })
    .from(cardObjects)
    .where(and(eq(cardObjects.kind, kind), eq(cardObjects.isDeleted, false), ...where, await cursor(tx, noun, page)))
    .orderBy(isBackwards ? asc(cardObjects.place) : desc(cardObjects.place))
    .limit(page.limit + 1)

  const shown = rows.slice(0, page.limit).flatMap(({ stored }) => (isOf(stored, kind) ? [stored.object] : []))
  return {
    object: 'list',
    data: isBackwards ? shown.toReversed() : shown,
    has_more: rows.length > page.limit,
    url,
  }
}

async function cursor(tx: Reader, noun: string, page: Page): Promise<SQL | undefined> {
  if (page.ending_before !== undefined && page.starting_after !== undefined) {
    throw invalidRequest('Received both starting_after and ending_before parameters. Please pass in only one.')
  }
  const id = page.ending_before ?? page.starting_after
  if (id === undefined) return undefined
  const param = page.ending_before === undefined ? 'starting_after' : 'ending_before'
  const [row] = await tx.select({ place: cardObjects.place }).from(cardObjects).where(eq(cardObjects.id, id))
  if (!row) throw noSuch(noun, id, { param })
  return page.ending_before === undefined ? lt(cardObjects.place, row.place) : gt(cardObjects.place, row.place)
}
