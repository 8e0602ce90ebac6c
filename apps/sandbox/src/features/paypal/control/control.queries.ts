import type { Db } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { paypalObjects } from '../store/paypal.tables.ts'
import { list } from '../store/store.ts'
import type { Kind, Stored, StoredOf } from '../store/stored.ts'

const shownAtOnce = 20

/** The latest objects of one kind, newest first. */
export async function latest<K extends Kind>(db: Db, kind: K): Promise<StoredOf<K>['object'][]> {
  return (await list(db, { kind, page: 1, pageSize: shownAtOnce })).objects
}

export async function anyObject(db: Db, id: string): Promise<Stored | undefined> {
  const [row] = await db.select({ stored: paypalObjects.stored }).from(paypalObjects).where(eq(paypalObjects.id, id))
  return row?.stored
}
