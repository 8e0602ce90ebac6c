import { expect, test } from 'vitest'
import type { BilledSubscription } from '../../../outside/card-provider/subscriptions.ts'
import type { KnownPrice } from '../known-price.ts'
import { pendingChangeOf } from './pending-change.rules.ts'

const sign: KnownPrice = { productCode: 'FES', term: 'monthly', isConnector: false, isStorage: false }
const prices = new Map<string, KnownPrice>([
  ['sign', sign],
  ['sign_year', { ...sign, term: 'yearly' }],
  ['business', { ...sign, productCode: 'FESB' }],
  ['connector', { ...sign, productCode: 'FCNSF', isConnector: true }],
  ['storage', { ...sign, productCode: 'FCLST', isStorage: true }],
])

const at = new Date('2026-06-01T00:00:00Z')
const expiresAt = new Date('2026-06-02T00:00:00Z')
const item = (priceId: string, quantity: number) => ({
  ...{ id: `si_${priceId}`, priceId, quantity, lookupKey: '', productId: '', amount: 1000, currency: 'USD' },
  ...{ periodStart: at, periodEnd: at },
})
const openInvoice = {
  ...{
    amount: 1820,
    url: 'https://pay.example/1',
    since: at,
    dates: [at],
    retriedSince: null,
    nextAttemptAt: null,
  },
  ...{ needsConfirmation: false, declineCode: '', declinedCard: null, declinedAt: null },
}
const billed: BilledSubscription = {
  ...{
    id: 'sub_1',
    customerId: 'cus_1',
    status: 'active',
    createdAt: at,
    metadata: {},
    claim: { memberId: '', reference: '', createdAt: new Date(0) },
    ownCard: '',
  },
  ...{
    cancelAt: null,
    trialEnd: null,
    endedAt: null,
    isRenewing: false,
    pendingChange: null,
    openInvoice,
    schedule: null,
  },
  items: [item('sign', 2)],
}

const pending = (items: BilledSubscription['items'], over: Partial<BilledSubscription> = {}) =>
  pendingChangeOf({ ...billed, pendingChange: { isOurs: false, invoiceId: 'in_1', items, expiresAt }, ...over }, prices)

test.each([
  [[item('sign', 5)], 'buy-more', 3, 'FES'],
  [[item('sign', 2), item('connector', 4)], 'buy-connector', 4, 'FES'],
  [[item('connector', 4), item('sign', 3)], 'buy-more', 1, 'FES'],
  [[item('business', 5)], 'switch-to-business-billing', 0, 'FESB'],
  [[item('sign_year', 2)], 'switch-to-annual-billing', 0, 'FES'],
  [[item('sign', 1)], 'other', 0, 'FES'],
  [[], 'other', 0, 'FES'],
] as const)(
  '%#: what waits is named by what it makes of the subscription',
  (items, type, increasedNumber, productCode) => {
    const paid = {
      chargeAmount: 1820,
      currency: 'USD',
      invoiceId: 'in_1',
      isStorage: 0,
      expiresAt: '2026-06-02T00:00:00.000Z',
    }
    expect(pending(items)).toEqual({ type, increasedNumber, productCode, ...paid })
  },
)

test('storage is counted in TB', () => {
  const more = pending([item('storage', 3)], { items: [item('storage', 1)] })
  expect(more).toMatchObject({ type: 'buy-more', increasedNumber: 2, isStorage: 1 })
})

test('nothing is named that was begun here, or has nothing to pay', () => {
  expect(pendingChangeOf(billed, prices)).toBeNull()
  expect(pending([item('sign', 5)], { openInvoice: null, schedule: null })).toBeNull()
  const isOurs = { isOurs: true, invoiceId: 'in_1', items: [item('sign', 5)], expiresAt }
  expect(pendingChangeOf({ ...billed, pendingChange: isOurs }, prices)).toBeNull()
})
