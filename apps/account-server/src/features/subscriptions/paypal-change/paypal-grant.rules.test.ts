import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Granted, keptPlan, type Replaced } from './paypal-grant.rules.ts'

/** Prices of one unit, from the cheapest product to the dearest. */
const amounts = { good: 199, better: 499, best: 1299 }
type Code = keyof typeof amounts

const codes = ['good', 'better', 'best'] as const satisfies readonly Code[]

function planOf(productCode: Code, quantity: number): Replaced {
  return { productCode, planId: `P-${productCode}`, quantity, amount: amounts[productCode] }
}

function ordered(replaced: Replaced, { productCode, planId, quantity, amount }: Replaced): Granted {
  const isFromNow = true
  const counts = { userCount: quantity, storageCapacity: 0, quantity }
  return { isFromNow, productCode, planId, ...counts, term: 'yearly', price: (amount ?? 0) * quantity, replaced }
}

/** Orders, each on top of what is there. @param steps more units, or the product of an upgrade */
function chain(base: Replaced, steps: readonly (number | Code)[]): Granted[] {
  let now = base
  return steps.flatMap((step) => {
    const plan =
      typeof step === 'number' ? { ...now, quantity: now.quantity + step } : { ...planOf(step, now.quantity) }
    if (worth(plan) <= worth(now)) return []
    const made = ordered(now, plan)
    now = plan
    return [made]
  })
}

function worth({ amount, quantity }: Replaced): number {
  return (amount ?? 0) * quantity
}

function paidOf(base: Replaced, kept: readonly Granted[]): number {
  return kept.reduce((sum, { price, replaced }) => sum + price - (replaced ? worth(replaced) : 0), worth(base))
}

const steps = fc.array(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constantFrom(...codes)), { maxLength: 6 })
const bases = fc.integer({ min: 1, max: 30 }).map((quantity) => planOf('good', quantity))

test('what is kept is never worth more than was paid, nor less than what PayPal was paid before', () => {
  fc.assert(
    fc.property(bases, steps, fc.infiniteStream(fc.boolean()), (base, asked, isKept) => {
      const kept = chain(base, asked).filter(() => isKept.next().value)
      const plan = keptPlan({ base, kept })
      if (!plan) throw new Error('a plan is always kept')
      const upgrades = kept.filter(({ productCode, replaced }) => productCode !== replaced?.productCode)
      expect(worth(plan)).toBeLessThanOrEqual(paidOf(base, kept))
      // The rest does not pay for one unit more, unless there are no more.
      const most = kept.reduce((sum, one) => sum + one.quantity - (one.replaced?.quantity ?? 0), base.quantity)
      const rest = paidOf(base, kept) - worth(plan)
      expect(plan.quantity === most || rest < (plan.amount ?? 0)).toBe(true)
      if (upgrades.length === 0 && kept.every(({ productCode }) => productCode === 'good')) {
        expect(plan).toEqual({ ...base, quantity: most })
      }
    }),
  )
})

test('what was bought last and given back first leaves what there was before it', () => {
  fc.assert(
    fc.property(bases, steps, fc.nat(), (base, asked, count) => {
      const made = chain(base, asked)
      const left = count % (made.length + 1)
      const { productCode, planId, quantity, price } = made[left - 1] ?? { ...base, price: worth(base) }
      const plan = keptPlan({ base, kept: made.slice(0, left) })
      expect(plan).toMatchObject({ productCode, planId, quantity })
      expect(plan && worth(plan)).toBe(price)
    }),
  )
})

test.each([
  ['nothing was given back', [0, 1], 'best', 1],
  ['the second of two upgrades was', [0], 'better', 1],
  ['the first was, so that the second does not pay for its product', [1], 'better', 1],
  ['both were', [], 'good', 1],
] as const)('of two upgrades, %s', (_, kept, productCode, quantity) => {
  const base = planOf('good', 1)
  const made = chain(base, ['better', 'best'])
  const plan = keptPlan({ base, kept: made.filter((_one, index) => kept.some((one) => one === index)) })
  expect(plan).toEqual(planOf(productCode, quantity))
})

test('seats that were bought at the price of a dearer product stay of it, as many as are paid', () => {
  const base = planOf('good', 1)
  const [, seats] = chain(base, ['better', 20])
  expect(keptPlan({ base, kept: seats ? [seats] : [] })).toEqual(planOf('better', 20))
})

test('an order without an amount, or from before it was stored what it replaced, says nothing', () => {
  const base = planOf('good', 1)
  const [made] = chain(base, [2])
  if (!made) throw new Error('nothing was ordered')
  const { replaced: _, ...old } = made
  expect(keptPlan({ base, kept: [old] })).toBeUndefined()
  expect(keptPlan({ base: { ...base, amount: null }, kept: [made] })).toBeUndefined()
})
