import { expect, test } from 'vitest'
import { paypalSubscription } from '../../test/paypal-subscriptions.ts'
import { pricedAs, retriedOf } from './paypal-retries.rules.ts'

const at = (day: number) => new Date(Date.UTC(2027, 2, day))
const pastDue = { status: 'past_due', cancelAt: null, endedAt: null, pastDueSince: at(10) } as const
const month = { cycle: { periodStart: at(1), periodEnd: at(10) }, trial: undefined }

interface Case {
  isRevised?: boolean
  /** What could not be collected; left out: 20,000. */
  amount?: number
  failedAt?: Date
  /** In percent. */
  taxOnTop?: number
  now?: Date
  /** What PayPal has now costs; left out: the same. */
  billed?: { price: number | null; units?: number } | undefined
  trial?: { periodStart: Date; periodEnd: Date }
}

interface Known {
  price: number | null
  priceId: string
  listPrice: { amount: number; currency: string } | null
  unitPrices: readonly number[]
}

function retried({
  taxOnTop = 0,
  amount = 20_000,
  failedAt = at(10),
  now = at(12),
  trial,
  isRevised = false,
  ...more
}: Case) {
  const billed = 'billed' in more ? more.billed : { price: 20_000 }
  const failure = { amount, at: failedAt, nextAttemptAt: null }
  const paid = { ...month, trial }
  const week = { sequence: 1, interval: { unit: 'WEEK', count: 1 }, cycles: 2, amount: 100, begun: 1 } as const
  const given = paypalSubscription({ failure, taxOnTop, ...(trial && { trials: [week], isPastTrial: false }) })
  return retriedOf(given, {
    standing: pastDue,
    paid,
    before: { price: 20_000, units: 2 },
    billed: billed && { units: 2, ...billed },
    isRevised,
    now,
  })
}

test.each<[string, Case]>([
  ['all of it', {}],
  ['more than that', { amount: 40_000 }],
  ['all of it, with a tax on top', { amount: 24_000, taxOnTop: 20 }],
  ['less, while the period is paid', { amount: 1, now: at(9) }],
  ['a setup fee, weeks before', { amount: 1, failedAt: at(2) }],
  ['a cycle of a trial', { amount: 200, trial: { periodStart: at(10), periodEnd: at(17) } }],
])('%s is retried: what was paid before goes on', (_what, one) => {
  expect(retried(one)).toEqual({ standing: pastDue, isOfBilled: false })
})

test('a cycle of a trial that is tried for fewer seats is of those', () => {
  const trial = { periodStart: at(10), periodEnd: at(17) }
  const asked = { amount: 100, failedAt: at(16), now: at(18), trial, billed: { price: 10_000, units: 1 } }
  expect(retried(asked)).toEqual({ standing: pastDue, isOfBilled: true })
})

test('a cycle of a trial is no longer tried once that is revised to another plan', () => {
  const trial = { periodStart: at(10), periodEnd: at(17) }
  const asked = { amount: 1, failedAt: at(16), now: at(18), trial, isRevised: true }
  expect(retried(asked).standing).toMatchObject({ status: 'pending' })
})

test('what PayPal has now is retried, and costs less: that goes on', () => {
  expect(retried({ amount: 3000, billed: { price: 3000 } })).toEqual({ standing: pastDue, isOfBilled: true })
})

test.each<[string, Case]>([
  ['less than PayPal has now', { amount: 1 }],
  ['less, with a tax on top', { amount: 20_000, taxOnTop: 20 }],
  ['something at a price that is not the vendor’s', { amount: 1, billed: { price: null } }],
  ['a quantity that is none', { amount: 1, billed: undefined }],
])('%s is retried: nothing goes on', (_what, one) => {
  const pending = { status: 'pending', cancelAt: null, endedAt: null, pastDueSince: null }
  expect(retried(one)).toEqual({ standing: pending, isOfBilled: false })
})

test.each([
  ['its own price', { price: 7000 }, 7000],
  ['the catalog’s price of its plan', { priceId: 'P-1' }, 20_000],
  ['the highest beside another plan, which the catalog may not know', { priceId: 'P-2' }, 240_000],
  ['nothing that is known, where the vendor has tiers', { priceId: 'P-1', listPrice: null }, null],
  ['nothing that is known of a plan that was never sold', { priceId: 'P-2', unitPrices: [] }, null],
])('what is granted costs %s', (_what, { price = null, priceId = 'P-1', ...facts }: Partial<Known>, costs) => {
  const item = { id: 'I-1', priceId, productCode: 'FPE', isConnector: false, quantity: 20, amount: null }
  const catalog = { listPrice: { amount: 1000, currency: 'USD' }, unitPrices: [1000, 12_000], ...facts }
  expect(pricedAs({ price, providerItems: [item] }, { planId: 'P-1' }, catalog)).toBe(costs)
})
