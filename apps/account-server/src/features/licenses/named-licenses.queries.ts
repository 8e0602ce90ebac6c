import type { Reader } from '@atrium/server-kit/database.ts'
import { and, asc, count, desc, eq, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { products } from '../catalog/catalog.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { productCode } from './licenses.queries.ts'
import { licenseContacts, licenses } from './licenses.tables.ts'

interface Asked {
  /** The member who asks. */
  holderId: string
  /** The member who is named, in whatever relationship. */
  personId: string
  limit: number
}

/** The newest licenses of which one member is the Holder and in which another is named, and their number. */
export async function licensesNaming(db: Reader, { holderId, personId, limit }: Asked) {
  const held = alias(licenseContacts, 'held')
  // The Holder of a subscription's license is its Owner, nobody else.
  const isHeld = or(
    eq(subscriptions.memberId, holderId),
    and(sql`${licenses.subscriptionId} is null`, eq(held.relationship, 'Holder')),
  )
  const isBoth = and(eq(licenseContacts.memberId, personId), isHeld)
  const isHolders = and(eq(held.licenseId, licenses.id), eq(held.memberId, holderId))

  const list = await db
    .select({ licenseId: licenses.id, productName: products.name, sku: products.sku })
    .from(licenseContacts)
    .innerJoin(licenses, eq(licenses.id, licenseContacts.licenseId))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .leftJoin(held, isHolders)
    .innerJoin(products, eq(products.code, productCode))
    .where(isBoth)
    .orderBy(desc(licenses.createdAt), asc(licenses.id))
    .limit(limit)
  const [counted] = await db
    .select({ total: count() })
    .from(licenseContacts)
    .innerJoin(licenses, eq(licenses.id, licenseContacts.licenseId))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .leftJoin(held, isHolders)
    .where(isBoth)
  return { list, total: counted?.total ?? 0 }
}
