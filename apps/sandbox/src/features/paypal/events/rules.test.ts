import { expect, test } from 'vitest'
import { mostAttempts, pauseAfter } from './signature.rules.ts'

test('twenty-five attempts take about three days, the first ones a minute', () => {
  const pauses = Array.from({ length: mostAttempts - 1 }, (_, index) => pauseAfter(index + 1))
  const sum = (some: number[]) => some.reduce((all, one) => all + one, 0)

  expect(sum(pauses.slice(0, 3))).toBe(35)
  expect(sum(pauses) / 86_400).toBeGreaterThan(2.7)
  expect(sum(pauses) / 86_400).toBeLessThan(3.1)
})
