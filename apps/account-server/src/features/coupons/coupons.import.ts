import { excluded } from '@atrium/server-kit/database.ts'
import { dateOrNull, importer, noProduct, rowsOf } from '../../db/importer.ts'
import { productCodes } from '../catalog/catalog.queries.ts'
import { isCountry } from '../profile/countries.rules.ts'
import { coupons } from './coupons.tables.ts'

export const couponImporter = importer('coupon', async (tx, lines, context) => {
  const known = await productCodes(tx)
  const rows = rowsOf(lines, context, ({ type: _, validFrom, validUntil, ...record }) => {
    if (!record.products.every((code) => known.has(code))) return { ...noProduct, field: 'products' }
    const unknown = record.countries.find((code) => !isCountry(code))
    if (unknown !== undefined) return { field: 'countries', reason: `${unknown} is not a country` }
    return {
      ...record,
      percentOff: record.percentOff ?? null,
      amountOff: record.amountOff ?? null,
      currency: record.currency ?? null,
      validFrom: dateOrNull(validFrom),
      validUntil: dateOrNull(validUntil),
      maxUses: record.maxUses ?? null,
    }
  })
  if (rows.length === 0) return
  await tx
    .insert(coupons)
    .values(rows)
    .onConflictDoUpdate({
      target: coupons.code,
      set: excluded(coupons, [
        'percentOff',
        'amountOff',
        'currency',
        'products',
        'terms',
        'countries',
        'validFrom',
        'validUntil',
        'maxUses',
        'maxUsesPerCustomer',
      ]),
    })
})
