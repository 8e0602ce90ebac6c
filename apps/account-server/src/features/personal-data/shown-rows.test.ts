import { expect, test } from 'vitest'
import { shownRow } from './shown-rows.ts'

test('a hidden price is not in the words of what waits either', () => {
  const row = { objectId: 'I-1', amount: 4011, terms: 'P-1: 3 × 1337 USD every 1 MONTH', lessThanPlan: 'a fee of 5.00' }
  expect(shownRow(row, { keys: [], isPriceHidden: true })).toEqual({ objectId: 'I-1' })
  expect(shownRow(row, { keys: [], isPriceHidden: false })).toEqual(row)
})
