import { sql } from 'drizzle-orm'
import { importer } from '../../db/importer.ts'
import { products } from './catalog.tables.ts'

export const productImporter = importer('product', async (tx, lines) => {
  const rows = lines.map(({ record }) => record)
  await tx
    .insert(products)
    .values(rows)
    .onConflictDoUpdate({
      target: products.code,
      set: {
        name: sql`excluded.name`,
        sku: sql`excluded.sku`,
        skuName: sql`excluded.sku_name`,
        position: sql`excluded.position`,
        prices: sql`excluded.prices`,
        cap: sql`excluded.cap`,
        flags: sql`excluded.flags`,
        downloads: sql`excluded.downloads`,
        integrations: sql`excluded.integrations`,
      },
    })
})
