import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { asc, eq, sql } from 'drizzle-orm'
import { products } from './catalog.tables.ts'

/** The whole catalog in the vendor's order: names, prices, caps, flags, downloads, integrations. */
export function catalog(db: Reader) {
  return allProducts(db).execute()
}

export async function productByCode(db: Reader, code: string) {
  const [product] = await oneProduct(db).execute({ code })
  return product
}

export async function productCodes(db: Reader): Promise<ReadonlySet<string>> {
  return new Set((await allProducts(db).execute()).map(({ code }) => code))
}

const allProducts = prepared('catalog_all', (db, name) =>
  db.select().from(products).orderBy(asc(products.position), asc(products.code)).prepare(name),
)

const oneProduct = prepared('catalog_by_code', (db, name) =>
  db
    .select()
    .from(products)
    .where(eq(products.code, sql.placeholder('code')))
    .prepare(name),
)
