import fc from 'fast-check'
import { expect, test } from 'vitest'
import { debitOf, end, itemOf, start } from '../../../test/items.ts'
import type { Applied } from '../money/lines.rules.ts'
import type { Debit } from '../store/billing-hidden.ts'
import { type ChangePlan, type ItemChange, planChange } from './change.rules.ts'
import { amountOf } from './items.rules.ts'

interface Situation {
  items: ItemChange[]
  debits: readonly Debit[]
  at: number
  discounts?: Applied[]
}

function plan({ items, debits, at, discounts = [] }: Situation): ChangePlan {
  return planChange({
    items,
    debits,
    discounts,
    anchor: start,
    at,
    now: at,
    isProrated: true,
    restarts: false,
    trialEnd: null,
  })
}

/** What was charged by a change, as it is known afterwards. */
function debitsAfter({ debits, prorations }: ChangePlan): Debit[] {
  const charged = prorations.flatMap(({ item, amount, period, quantity, credited }) =>
    credited === null && amount > 0
      ? [{ ...debitOf(item, amount), ...period, quantity, invoice: 'in_2', line: 'il_2' }]
      : [],
  )
  return [...debits, ...charged]
}

const total = ({ prorations }: ChangePlan) => prorations.reduce((sum, { amount }) => sum + amount, 0)
const amount = fc.integer({ min: 0, max: 1_000_000 })
const moment = fc.integer({ min: start, max: end - 1 })
const quantity = fc.integer({ min: 1, max: 50 })
const many = { numRuns: 3000 }

test('a change and its reverse at the same moment cancel out', () => {
  fc.assert(
    fc.property(amount, amount, quantity, quantity, moment, (low, high, few, more, at) => {
      const before = itemOf('si_1', low, { quantity: few })
      const after = itemOf('si_1', high, { quantity: more })
      const there = plan({ items: [{ before, after }], debits: [debitOf(before)], at })
      const back = plan({ items: [{ before: after, after: before }], debits: debitsAfter(there), at })
      expect(total(there) + total(back)).toBe(0)
    }),
    many,
  )
})

test('after any changes, what was paid is what was used, within half a minor unit a line', () => {
  const changes = fc.array(fc.record({ price: amount, seats: quantity, at: moment }), { maxLength: 8 })
  fc.assert(
    fc.property(amount, quantity, changes, (first, seats, given) => {
      let item = itemOf('si_1', first, { quantity: seats })
      let debits: readonly Debit[] = [debitOf(item)]
      let paid = amountOf(item)
      let lines = 0
      let used = 0n
      let since = start
      for (const change of given.toSorted((one, other) => one.at - other.at)) {
        const after = itemOf('si_1', change.price, { quantity: change.seats })
        const planned = plan({ items: [{ before: item, after }], debits, at: change.at })
        paid += total(planned)
        lines += planned.prorations.length
        debits = debitsAfter(planned)
        used += BigInt(amountOf(item)) * BigInt(change.at - since)
        since = change.at
        item = after
      }
      used += BigInt(amountOf(item)) * BigInt(end - since)
      const difference = 2n * (BigInt(paid) * BigInt(end - start) - used)
      const most = BigInt(lines) * BigInt(end - start)
      expect(difference <= most && difference >= -most).toBe(true)
    }),
    many,
  )
})

test('a credit never exceeds what was charged, also after a discount', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 1, max: 100 }), moment, (price, percentOff, at) => {
      const before = itemOf('si_1', price)
      const charged = Math.floor((price * (100 - percentOff)) / 100)
      const planned = plan({
        items: [
          { before, after: undefined },
          { before: undefined, after: itemOf('si_2', price) },
        ],
        debits: [debitOf(before, charged)],
        at,
        discounts: [{ id: 'di_1', percentOff, amountOff: null, products: null }],
      })
      const credit = planned.prorations.find(({ credited }) => credited !== null)
      expect(-(credit?.amount ?? 0)).toBeLessThanOrEqual(charged)
    }),
    many,
  )
})

test('what does not change is neither credited nor charged', () => {
  fc.assert(
    fc.property(amount, amount, moment, (one, other, at) => {
      const kept = itemOf('si_1', one)
      const added = itemOf('si_2', other)
      const planned = plan({
        items: [
          { before: kept, after: kept },
          { before: undefined, after: added },
        ],
        debits: [debitOf(kept)],
        at,
      })
      expect(planned.prorations.map(({ item }) => item.id)).toEqual(['si_2'])
      expect(planned.debits).toEqual([debitOf(kept)])
    }),
    many,
  )
})
