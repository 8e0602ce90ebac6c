import { expect, test } from 'vitest'
import { withoutUnitPrice } from './invoices.ts'

test.each([
  ['3 × Folio PDF Editor (at $246.80 / month)', '3 × Folio PDF Editor'],
  ['3 × Folio (Mac) (at 246.80 USD / month)', '3 × Folio (Mac)'],
  ['1 × Folio (at ¥1,200 / every 3 months)', '1 × Folio'],
  ['5 × Folio (Tier 1 at $5.00 / month)', '5 × Folio'],
  ['Remaining time on 3 × Folio after 05 Mar 2026', 'Remaining time on 3 × Folio after 05 Mar 2026'],
  ['Folio (at home)', 'Folio (at home)'],
  ['', ''],
])('of “%s” no unit price is left', (text, left) => {
  expect(withoutUnitPrice(text)).toBe(left)
})
