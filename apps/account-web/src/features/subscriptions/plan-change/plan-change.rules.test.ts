import type { PlanState } from '@atrium/contract/change-quotes.ts'
import { expect, test } from 'vitest'
import { SubscriptionDialogSearch } from '../subscriptions.search.ts'
import { quantityOf, yearlySaving } from './plan-change.rules.ts'

test.each([
  ['0', 1, false],
  ['-3', 1, false],
  ['−3', 1, false],
  ['', 1, false],
  ['abc', 1, false],
  ['1e1', 1, false],
  ['0.9', 1, false],
  ['2.5', 2, false],
  ['2,5', 2, false],
  [' 7 ', 7, false],
  ['１２', 12, false],
  ['18', 18, false],
  ['19', 18, true],
  ['1000000000', 18, true],
])('%j is the quantity %i', (typed, quantity, isCapped) => {
  expect(quantityOf(typed, 18)).toEqual({ quantity, isCapped })
})

const plan = (paidType: PlanState['paidType'], price: number): PlanState => ({
  ...{ appCode: 'A', appName: 'A', paidType, price, userCount: 1, storageCapacity: 0, esignConnectors: 0 },
})

test('a year is compared with twelve months, and a dearer one saves nothing', () => {
  expect(yearlySaving(plan('monthly', 1000), plan('yearly', 10_000))).toBe(2000)
  expect(yearlySaving(plan('monthly', 1000), plan('yearly', 13_000))).toBe(0)
  expect(yearlySaving(plan('yearly', 10_000), plan('yearly', 15_000))).toBe(0)
})

test('a change that was ordered begins again with its number, and a number that is none is left out', () => {
  const dialog = { dialog: 'more', sid: 'sub_1' }
  expect(SubscriptionDialogSearch.parse({ ...dialog, quantity: '5' })).toEqual({ ...dialog, quantity: 5 })
  for (const quantity of ['0', '1.5', 'many', '100000']) {
    expect(SubscriptionDialogSearch.parse({ ...dialog, quantity })).toEqual(dialog)
  }
})
