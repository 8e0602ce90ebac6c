import { excluded } from '@atrium/server-kit/database.ts'
import { importer } from '../../db/importer.ts'
import { products } from './catalog.tables.ts'

export const productImporter = importer('product', async (tx, lines) => {
  const rows = lines.map(({ record }) => ({ ...record, isForeign: false }))
  await tx
    .insert(products)
    .values(rows)
    .onConflictDoUpdate({
      target: products.code,
      set: excluded(products, [
        'name',
        'sku',
        'skuName',
        'position',
        'prices',
        'cap',
        'flags',
        'upgrades',
        'manageUrl',
        'launchUrl',
        'icon',
        'downloads',
        'integrations',
        'isForeign',
      ]),
    })
})
