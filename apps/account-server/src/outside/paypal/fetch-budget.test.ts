import { expect, test } from 'vitest'
import { remember } from './fetch-budget.ts'

test('at most so many are remembered: the one that was named least lately goes', () => {
  const known = new Map<string, number>()
  for (const name of ['a', 'b', 'c', 'a', 'd', 'e']) {
    remember(known, name, 3)
    known.set(name, 1)
  }
  expect([...known.keys()]).toEqual(['a', 'd', 'e'])
})
