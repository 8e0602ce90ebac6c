import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paidBefore, type UnbilledTerm } from './paid-before.rules.ts'

const termStart = new Date('2027-01-31T12:00:00Z')
const termEnd = new Date('2027-02-28T12:00:00Z')
const seconds = (termEnd.getTime() - termStart.getTime()) / 1000

function seats(values: Partial<UnbilledTerm> = {}): UnbilledTerm {
  return {
    ...{ priceId: 'price_1', productId: 'prod_1', quantity: 5, currency: 'USD' },
    ...{ taxBehavior: 'exclusive', taxCode: 'txcd_10103001' },
    ...{ unitAmount: 1000, termStart, termEnd, charged: 1_000_000, isCredited: false, paidShare: 1_000_000 },
    ...{ paidUntil: termEnd },
    ...values,
  }
}

const left = (rest: number) => new Date(termEnd.getTime() - rest * 1000)

test('the price of all units falls to the rest of the term, to the second and rounded once', () => {
  const amounts = fc.record({ unitAmount: fc.nat(2_000_000), quantity: fc.integer({ min: 1, max: 100 }) })
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: seconds }), ({ unitAmount, quantity }, rest) => {
      const charged = Number.MAX_SAFE_INTEGER
      const [credit] = paidBefore([seats({ unitAmount, quantity, charged })], left(rest))
      const exact = BigInt(unitAmount) * BigInt(quantity) * BigInt(rest)
      const error = BigInt(credit?.amount ?? 0) * BigInt(seconds) - exact
      expect(2n * (error < 0n ? -error : error) <= BigInt(seconds)).toBe(true)
    }),
  )
})

test('a credit says what it is for, and until when', () => {
  const at = left(seconds / 2)
  expect(paidBefore([seats()], at)).toEqual([
    {
      ...{ priceId: 'price_1', productId: 'prod_1', quantity: 5, amount: 2500, currency: 'USD' },
      ...{ taxBehavior: 'exclusive', taxCode: 'txcd_10103001', from: at.toISOString(), to: termEnd.toISOString() },
    },
  ])
})

test.each([
  ['what is charged, if that is less', { charged: 1200 }, [1200]],
  ['nothing of what the change does not touch', { charged: 0 }, []],
  ['nothing of what the provider credits', { isCredited: true }, []],
  ['nothing of what is free', { unitAmount: 0 }, []],
  ['a half of what was paid with a discount of 50 percent', { paidShare: 500_000 }, [1250]],
  ['only the time for which what was kept pays', { paidUntil: left(seconds / 4) }, [1250]],
  ['nothing if all of the rest was given back', { paidUntil: left(seconds / 2) }, []],
  ['nothing if more than that was given back', { paidUntil: termStart }, []],
  ['nothing of what was free with a discount', { paidShare: 0 }, []],
])('credits %s', (_what, values, amounts) => {
  expect(paidBefore([seats(values)], left(seconds / 2)).map(({ amount }) => amount)).toEqual(amounts)
})

test.each([
  ['rather more than less', { unitAmount: 1470 }, [3680]],
  ['of a share too', { unitAmount: 1470, paidShare: 600_000 }, [2210]],
  ['what is charged, if that is less', { unitAmount: 1470, charged: 3675 }, [3675]],
])('credits dinars with a zero at the end, %s', (_what, values, amounts) => {
  const credits = paidBefore([seats({ currency: 'KWD', ...values })], left(seconds / 2))
  expect(credits.map(({ amount }) => amount)).toEqual(amounts)
})

test.each([0, -1])('credits nothing once the term has ended: %i seconds left', (rest) => {
  expect(paidBefore([seats()], left(rest))).toEqual([])
})
