import { expect, test } from 'vitest'
import type { BilledSubscription } from '../../outside/card-provider/subscriptions.ts'
import type { KnownPrice } from './known-price.ts'
import { isUnpaidStart, projectionOf } from './projection.rules.ts'

const now = new Date('2026-06-01T00:00:00Z')
const at = (day: number) => new Date(Date.UTC(2026, 5, day))

const item = {
  id: 'si_1',
  priceId: 'price_editor',
  lookupKey: 'fpepb-yearly-usd',
  productId: 'prod_1',
  quantity: 12,
  amount: 15_900,
  currency: 'USD',
  periodStart: at(1),
  periodEnd: at(30),
}

const editor: KnownPrice = { productCode: 'FPEPB', term: 'yearly', isConnector: false, isStorage: false }
const prices = new Map<string, KnownPrice>([
  ['price_editor', editor],
  ['price_connector', { ...editor, productCode: 'FCNSF', isConnector: true }],
  ['price_storage', { ...editor, productCode: 'FCLST', isStorage: true }],
])

const billed: BilledSubscription = {
  id: 'sub_1',
  customerId: 'cus_1',
  status: 'active',
  createdAt: at(1),
  items: [item],
  cancelAt: null,
  trialEnd: null,
  endedAt: null,
  metadata: {},
  claim: { memberId: '', reference: '', createdAt: new Date(0) },
  ownCard: '',
  isRenewing: false,
  pendingChange: null,
  openInvoice: null,
  schedule: null,
}

const project = (given: Partial<BilledSubscription>, before?: { pastDueSince: Date | null }) =>
  projectionOf({ ...billed, ...given }, { prices, before, now })

const invoice = {
  amount: 190_800,
  url: 'https://pay.example/1',
  since: at(3),
  dates: [at(3)],
  retriedSince: at(3),
  nextAttemptAt: at(8),
  needsConfirmation: false,
  declineCode: '',
  declinedCard: null,
  declinedAt: null,
}

test('seats, period, term and price come from the first item', () => {
  expect(project({})).toMatchObject({
    productCode: 'FPEPB',
    status: 'active',
    userCount: 12,
    autoRenew: true,
    periodStart: at(1),
    periodEnd: at(30),
    term: 'yearly',
    price: 190_800,
    currency: 'USD',
    connectors: 0,
    storageCapacity: 0,
    dueUrl: '',
  })
})

test('connectors are counted, wherever their item stands, and are part of the price', () => {
  const connectors = { ...item, priceId: 'price_connector', quantity: 3, amount: 1200 }
  const wanted = { productCode: 'FPEPB', userCount: 12, connectors: 3, price: 194_400 }
  expect(project({ items: [item, connectors] })).toMatchObject(wanted)
  expect(project({ items: [connectors, item] })).toMatchObject(wanted)
})

test('connectors that are bought alone are a subscription of their own', () => {
  expect(project({ items: [{ ...item, priceId: 'price_connector' }] })).toMatchObject({
    productCode: 'FCNSF',
    userCount: 12,
    connectors: 0,
  })
})

test('storage is a capacity, and has no seats to share', () => {
  expect(project({ items: [{ ...item, priceId: 'price_storage', quantity: 4 }] })).toMatchObject({
    storageCapacity: 4,
    userCount: 1,
  })
})

test.each([
  ['active', 'active'],
  ['trialing', 'trialing'],
  ['past_due', 'past_due'],
  ['unpaid', 'past_due'],
  ['canceled', 'canceled'],
  ['incomplete_expired', 'canceled'],
  ['paused', 'active'],
  ['pause_requested', 'pending'],
  ['a later one', 'pending'],
])('the provider’s %s is shown as %s', (status, wanted) => {
  expect(project({ status })?.status).toBe(wanted)
})

test('a paused one can be used until its period ends', () => {
  expect(project({ status: 'paused' })).toMatchObject({ cancelAt: at(30), autoRenew: false })
})

test.each([
  ['its trial', 10, 10],
  ['its period', 40, 30],
])(
  'a paused one whose period the provider has moved can be used until %s ends, which is earlier',
  (_what, trial, end) => {
    expect(project({ status: 'paused', trialEnd: at(trial) })).toMatchObject({ cancelAt: at(end), autoRenew: false })
  },
)

test('one that does not renew has its end', () => {
  expect(project({ cancelAt: at(20) })).toMatchObject({ cancelAt: at(20), autoRenew: false })
})

test('a failed payment counts from the invoice that failed, and keeps its first day while that is open', () => {
  const failed = { status: 'past_due', openInvoice: invoice }
  expect(project(failed)).toMatchObject({
    pastDueSince: at(3),
    dueAmount: 190_800,
    dueUrl: 'https://pay.example/1',
    nextAttemptAt: at(8),
  })
  const open = (...days: number[]) => {
    const dates = days.map(at)
    return { ...failed, openInvoice: { ...invoice, since: dates.at(-1) ?? at(9), dates, retriedSince: at(9) } }
  }
  const known = { pastDueSince: at(3) }
  expect(project(open(9, 3), known)?.pastDueSince).toEqual(at(3))
  expect(project(open(9), known)?.pastDueSince).toEqual(at(9))
  // One that is older still, and not tried any more, does not keep the day of what is paid.
  expect(project(open(9, 1), known)?.pastDueSince).toEqual(at(9))
  expect(project({}, { pastDueSince: at(3) })).toMatchObject({ pastDueSince: null, dueAmount: null, dueUrl: '' })
})

test('an open invoice of a subscription that is paid for asks for nothing here', () => {
  expect(project({ openInvoice: invoice })).toMatchObject({ dueAmount: null, dueUrl: '' })
})

test('what ended has its end, and an end that the provider does not say is that of the period', () => {
  expect(project({ status: 'canceled', endedAt: at(5) })).toMatchObject({ endedAt: at(5), autoRenew: false })
  expect(project({ status: 'incomplete_expired' })?.endedAt).toEqual(at(30))
})

test('a price that is not per unit leaves the whole price unknown', () => {
  expect(project({ items: [item, { ...item, priceId: 'price_connector', amount: null }] })?.price).toBeNull()
})

test('a commitment is read from the metadata, and nonsense there is none', () => {
  expect(project({ metadata: { commitmentEnd: '2027-06-01T00:00:00Z' } })?.commitmentEnd).toEqual(
    new Date('2027-06-01T00:00:00Z'),
  )
  expect(project({ metadata: { commitmentEnd: '2027-06-01T00:00:00.347+02:00' } })?.commitmentEnd).toEqual(
    new Date('2027-05-31T22:00:00Z'),
  )
  for (const commitmentEnd of ['soon', '+010000-01-01T00:00:00Z', '99999-01-01', '0000-01-01T00:00:00Z']) {
    expect([commitmentEnd, project({ metadata: { commitmentEnd } })?.commitmentEnd]).toEqual([commitmentEnd, null])
  }
})

test('one that was never paid is not listed', () => {
  expect(['incomplete', 'incomplete_expired', 'active'].map((status) => isUnpaidStart({ status }))).toEqual([
    true,
    true,
    false,
  ])
})
