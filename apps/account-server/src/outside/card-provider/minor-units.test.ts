import { expect, test } from 'vitest'
import { minorUnits, providerAmount } from './minor-units.ts'

test.each([
  ['USD', 1999, 1999],
  ['JPY', 1999, 1999],
  ['KWD', 1999, 1999],
  ['HUF', 1_490_000, 1_490_000],
  ['ISK', 149_000, 1490],
  ['UGX', 149_000, 1490],
  ['MGA', 1490, 149_000],
])('%s: %i at the card provider are %i minor units of ISO 4217, and back', (currency, atProvider, ours) => {
  expect(minorUnits(atProvider, currency)).toBe(ours)
  expect(providerAmount(ours, currency)).toBe(atProvider)
})
