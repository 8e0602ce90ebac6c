import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newLine, withDiscounts, withTaxes } from '../money/lines.rules.ts'
import type { Line } from '../store/billing-hidden.ts'
import { settled, totalsOf } from './totals.rules.ts'

function lineOf(amount: number, taxBehavior: string, discountable: boolean): Line {
  return newLine({
    amount,
    currency: 'usd',
    description: null,
    discountable,
    metadata: {},
    parent: null,
    period: { start: 0, end: 1 },
    price: null,
    quantity: 1,
    subscription: null,
    taxBehavior,
  })
}

const lines = fc.array(
  fc.tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.constantFrom('inclusive', 'exclusive'), fc.boolean()),
  { maxLength: 12 },
)
const discounts = fc.array(
  fc.oneof(
    fc.record({ percentOff: fc.integer({ min: 1, max: 100 }), amountOff: fc.constant(null) }),
    fc.record({ percentOff: fc.constant(null), amountOff: fc.integer({ min: 1, max: 500_000 }) }),
  ),
  { maxLength: 3 },
)
const many = { numRuns: 3000 }

test('the sums of an invoice hold: total = lines − discounts + added taxes', () => {
  fc.assert(
    fc.property(lines, discounts, fc.integer({ min: 0, max: 30 }), (given, reductions, percent) => {
      const whole = reductions.map((reduction, place) => ({ id: `di_${place}`, products: null, ...reduction }))
      const made = given.map(([amount, behavior, isDiscountable]) => lineOf(amount, behavior, isDiscountable))
      const taxed = withTaxes(withDiscounts(made, whole), { rate: 'txr', percent, reason: 'standard_rated' })
      const totals = totalsOf(taxed)

      const sum = (amounts: number[]) => amounts.reduce((all, one) => all + one, 0)
      const reduced = sum((totals.total_discount_amounts ?? []).map(({ amount }) => amount))
      const taxes = totals.total_taxes ?? []
      const added = sum(taxes.filter((tax) => tax.tax_behavior === 'exclusive').map(({ amount }) => amount))
      expect(totals.subtotal).toBe(sum(given.map(([amount]) => amount)))
      expect(totals.total).toBe(totals.subtotal - reduced + added)
      expect(totals.total_excluding_tax).toBe(totals.total - sum(taxes.map(({ amount }) => amount)))
      for (const { line } of taxed) {
        const off = sum((line.discount_amounts ?? []).map(({ amount }) => amount))
        expect(off).toBeLessThanOrEqual(Math.max(0, line.amount))
        if (!line.discountable) expect(off).toBe(0)
      }
    }),
    many,
  )
})

test('an amount off takes its whole amount, as far as there is something to take', () => {
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 500_000 }), (given, amountOff) => {
      const made = given.map(([amount, behavior]) => lineOf(amount, behavior, true))
      const totals = totalsOf(withDiscounts(made, [{ id: 'di_1', products: null, percentOff: null, amountOff }]))
      const most = given.reduce((all, [amount]) => all + Math.max(0, amount), 0)
      expect(totals.subtotal - totals.total).toBe(Math.min(amountOff, most))
    }),
    many,
  )
})

test('what is charged is the total less the credit: charged + new balance = total + old balance', () => {
  const money = fc.integer({ min: -10_000_000, max: 10_000_000 })
  fc.assert(
    fc.property(money, money, fc.integer({ min: 1, max: 400 }), (total, balance, least) => {
      const { due, endingBalance } = settled(total, balance, least)
      expect(due + endingBalance).toBe(total + balance)
      expect(due === 0 || due >= least).toBe(true)
    }),
    many,
  )
})
