import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import { and, asc, desc, eq, gt, lt, type SQL } from 'drizzle-orm'
import type Stripe from 'stripe'
import { invalidRequest, noSuch } from '../wire/refusal.ts'
import { cardObjects } from './cards.tables.ts'
import { columnsOf } from './columns.ts'
import { isOf, type Kind, type Stored, type StoredOf } from './stored.ts'

export async function find<K extends Kind>(tx: Reader, kind: K, id: string): Promise<StoredOf<K> | undefined> {
  const [row] = await byId(tx, id)
  return row && isOf(row.stored, kind) ? row.stored : undefined
}

/** Locks it until the end of the request. */
export async function findLocked<K extends Kind>(tx: Tx, kind: K, id: string): Promise<StoredOf<K> | undefined> {
  const [row] = await byId(tx, id).for('update')
  return row && isOf(row.stored, kind) ? row.stored : undefined
}

function byId(tx: Reader, id: string) {
  return tx
    .select({ stored: cardObjects.stored })
    .from(cardObjects)
    .where(and(eq(cardObjects.id, id), eq(cardObjects.isDeleted, false)))
}

/** Saves a new or changed object. */
export async function save(tx: Tx, stored: Stored): Promise<void> {
  const { id } = stored.object
  const columns = { kind: stored.kind, stored, ...columnsOf(stored) }
  await tx
    .insert(cardObjects)
    .values({ id, ...columns })
    .onConflictDoUpdate({ target: cardObjects.id, set: columns })
}

/** A deleted object is not found any more, but stays known as deleted. */
export async function markDeleted(tx: Tx, id: string): Promise<void> {
  await tx
    .update(cardObjects)
    .set({ isDeleted: true, email: null, lookupKey: null, dueAt: null })
    .where(eq(cardObjects.id, id))
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
