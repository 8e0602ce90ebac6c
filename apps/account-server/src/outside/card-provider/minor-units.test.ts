import { expect, test } from 'vitest'
import { chargeStep, minorUnits, providerAmount } from './minor-units.ts'

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

test.each([
  ['USD', 1],
  ['JPY', 1],
  ...['BHD', 'JOD', 'KWD', 'OMR', 'TND'].map((currency) => [currency, 10] as const),
  // Without fractions at the provider, as we have them already.
  ['ISK', 1],
  ['UGX', 1],
  // Fractions are refused in payouts alone.
  ['HUF', 1],
  ['TWD', 1],
  // A fifth of an ariary is not charged.
  ['MGA', 100],
] as const)('%s is charged in steps of %i minor units', (currency, step) => {
  expect(chargeStep(currency)).toBe(step)
})
