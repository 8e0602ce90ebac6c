import fc from 'fast-check'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { debitOf, itemOf } from '../../../test/items.ts'
import type { Applied } from '../money/lines.rules.ts'
import type { Debit } from '../store/billing-hidden.ts'
import { planChange } from './change.rules.ts'

/*
 * What a change costs, a second time: in exact fractions, by the provider's own words (time counts by the second, each line is
 * rounded, what is credited is what was charged). Nothing of it comes from the code that it judges.
 */

interface Fraction {
  over: bigint
  under: bigint
}

const fraction = (over: number, under: number): Fraction => ({ over: BigInt(over), under: BigInt(under) })

/** To the nearest whole number, of two the one farther from zero. */
function nearest({ over, under }: Fraction): number {
  const down = over / under
  const rest = over - down * under
  const isUp = rest * 2n >= under
  return Number(isUp ? down + 1n : down)
}

interface Seats {
  unit: number
  quantity: number
}

interface Charge {
  /** Place of the item. */
  item: number
  amount: number
  from: number
  to: number
}

interface Discount {
  percent: number | null
  fixed: number | null
}

/** Amounts after a discount; what is left over by rounding down a fixed one goes to the largest rests. */
function afterDiscount(amounts: readonly number[], { percent, fixed }: Discount): number[] {
  if (percent !== null) return amounts.map((amount) => amount - nearest(fraction(amount * percent, 10_000)))
  const sum = amounts.reduce((all, amount) => all + amount, 0)
  const off = Math.min(fixed ?? 0, sum)
  if (off === 0) return [...amounts]
  const exact = amounts.map((amount) => BigInt(off) * BigInt(amount))
  const parts = exact.map((over) => Number(over / BigInt(sum)))
  const rests = exact.map((over) => over % BigInt(sum))
  for (let left = off - parts.reduce((all, part) => all + part, 0); left > 0; left -= 1) {
    const place = rests.indexOf(rests.reduce((most, rest) => (rest > most ? rest : most)))
    parts[place] = (parts[place] ?? 0) + 1
    rests[place] = -1n
  }
  return amounts.map((amount, place) => amount - (parts[place] ?? 0))
}

interface Period {
  start: number
  end: number
}

const isSame = (one: Seats | undefined, other: Seats | undefined) =>
  one?.unit === other?.unit && one?.quantity === other?.quantity

/** Credits in the order of the charges, then charges in the order of the items. */
function judged(
  charges: readonly Charge[],
  {
    before,
    after,
    at,
    period,
    discount,
  }: {
    before: readonly (Seats | undefined)[]
    after: readonly (Seats | undefined)[]
    at: number
    period: Period
    discount: Discount
  },
) {
  const isTouched = (item: number) => !isSame(before[item], after[item])
  const credited = charges.filter(({ item, to }) => isTouched(item) && to > at)
  const credits = credited.map(
    ({ amount, from, to }) => -nearest(fraction(amount * (to - Math.max(at, from)), to - from)) || 0,
  )
  const present = after.flatMap((seats, item) => (seats ? [{ item, amount: seats.unit * seats.quantity }] : []))
  const nets = afterDiscount(
    present.map(({ amount }) => amount),
    discount,
  )
  const made = present.flatMap(({ item }, place) =>
    isTouched(item)
      ? [
          {
            item,
            from: at,
            to: period.end,
            amount: nearest(fraction((nets[place] ?? 0) * (period.end - at), period.end - period.start)),
          },
        ]
      : [],
  )
  return {
    amounts: [...credits, ...made.map(({ amount }) => amount)],
    charges: [...charges.filter((charge) => !credited.includes(charge)), ...made.filter(({ amount }) => amount > 0)],
  }
}

const seats = fc.record({ unit: fc.integer({ min: 0, max: 200_000 }), quantity: fc.integer({ min: 1, max: 30 }) })
const optional = fc.option(seats, { nil: undefined, freq: 2 })
const discounts = fc.oneof(
  fc.constant({ percent: null, fixed: null }),
  fc.integer({ min: 1, max: 10_000 }).map((percent) => ({ percent, fixed: null })),
  fc.integer({ min: 1, max: 500_000 }).map((fixed) => ({ percent: null, fixed })),
)
const situation = fc.record({
  start: fc.integer({ min: Date.UTC(2024, 0, 1) / 1000, max: Date.UTC(2032, 0, 1) / 1000 }),
  days: fc.constantFrom(28, 29, 30, 31, 365, 366),
  first: fc.tuple(seats, optional),
  discount: discounts,
  /** Whether the discount reduces the first charge alone. */
  isOnce: fc.boolean(),
  changes: fc.array(fc.record({ at: fc.nat(), to: fc.tuple(seats, optional) }), { minLength: 1, maxLength: 2 }),
})

const none: Discount = { percent: null, fixed: null }
const ids = ['si_1', 'si_2'] as const

function asDiscounts({ percent, fixed }: Discount): Applied[] {
  if (percent === null && fixed === null) return []
  return [{ id: 'di_1', products: null, percentOff: percent === null ? null : percent / 100, amountOff: fixed }]
}

test('what changes cost is what exact fractions say: 10,000 cases, with two changes in a period and discounted first charges', () => {
  fc.assert(
    fc.property(situation, ({ start, days, first, discount, isOnce, changes }) => {
      const period = { start, end: start + days * 86_400 }
      const item = (place: number, one: Seats | undefined) =>
        one && itemOf(ids[place] ?? '', one.unit, { quantity: one.quantity, period })
      let before: readonly (Seats | undefined)[] = first
      const begun = first.flatMap((one, place) => (one ? [{ item: place, amount: one.unit * one.quantity }] : []))
      const paid = afterDiscount(
        begun.map(({ amount }) => amount),
        discount,
      )
      let charges: readonly Charge[] = begun
        .map((one, place) => ({ item: one.item, amount: paid[place] ?? 0, from: start, to: period.end }))
        .filter(({ amount }) => amount > 0)
      const later = isOnce ? none : discount

      for (const { at: drawn, to: after } of changes.toSorted((one, other) => moment(one) - moment(other))) {
        const at = start + (drawn % (period.end - start))
        const expected = judged(charges, { before, after, at, period, discount: later })
        const planned = planChange({
          items: ids
            .map((_, place) => ({ before: item(place, before[place]), after: item(place, after[place]) }))
            .filter(isThere),
          debits: charges.map((charge) =>
            asDebit(charge, item(charge.item, before[charge.item] ?? after[charge.item])),
          ),
          ...{ discounts: asDiscounts(later), anchor: start, at, now: at, isProrated: true },
          ...{ restarts: false, trialEnd: null },
        })
        expect(planned.prorations.map(({ amount }) => amount)).toEqual(expected.amounts)
        charges = expected.charges
        before = after
      }

      function moment({ at }: { at: number }): number {
        return at % (period.end - start)
      }
    }),
    { numRuns: 10_000, seed: 20_261_123 },
  )
})

const isThere = ({ before, after }: { before: unknown; after: unknown }) => before !== undefined || after !== undefined

function asDebit({ item, amount, from, to }: Charge, of: Stripe.SubscriptionItem | undefined): Debit {
  const priced = of ?? itemOf(ids[item] ?? '', 1)
  return { ...debitOf(priced, amount), start: from, end: to }
}
