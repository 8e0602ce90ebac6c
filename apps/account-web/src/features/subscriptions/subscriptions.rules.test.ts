import { expect, test } from 'vitest'
import {
  dueAction,
  isChangeWaiting,
  isDue,
  isNameShared,
  momentOf,
  passedOf,
  paymentOutcome,
} from './subscriptions.rules.ts'

const facts = {
  stripeSubscriptionStatus: 'active',
  nextPlanPeriodStart: '',
  stripeCurrentPeriodStart: '2026-06-01T00:00:00Z',
  stripeCurrentPeriodEnd: '2026-07-01T00:00:00Z',
  trialEnd: '',
  accessEnd: '',
  isExpiring: 0,
} as const

const later = '2026-08-01T00:00:00Z'

test.each([
  ['renewing', {}, ['renews', '2026-07-01']],
  ['not renewing', { nextPlanPeriodStart: later }, ['expires', '2026-08-01']],
  ['a trial', { stripeSubscriptionStatus: 'trialing', trialEnd: later }, ['trialEnds', '2026-08-01']],
  ['a trial without its end', { stripeSubscriptionStatus: 'trialing', accessEnd: later }, ['trialEnds', '2026-08-01']],
  [
    'a failed payment',
    { stripeSubscriptionStatus: 'past_due', isExpiring: 1, accessEnd: later },
    ['access', '2026-08-01'],
  ],
  [
    'a failed payment, access over',
    { stripeSubscriptionStatus: 'past_due', accessEnd: later },
    ['ended', '2026-08-01'],
  ],
  ['offline', { stripeSubscriptionStatus: 'offline-purchase' }, ['expires', '2026-07-01']],
  ['given', { stripeSubscriptionStatus: 'given', nextPlanPeriodStart: later }, ['expires', '2026-08-01']],
  ['canceled', { stripeSubscriptionStatus: 'canceled', accessEnd: later }, ['ended', '2026-08-01']],
  ['without an end', { stripeSubscriptionStatus: 'given', stripeCurrentPeriodEnd: '' }, undefined],
  ['pending', { stripeSubscriptionStatus: 'pending' }, undefined],
  ['begins later', { stripeSubscriptionStatus: 'pending', beginsAt: later }, ['begins', '2026-08-01']],
] as const)('what happens next: %s', (_name, values, wanted) => {
  const moment = momentOf({ ...facts, ...values })
  expect(moment && [moment.kind, moment.date.toISOString().slice(0, 10)]).toEqual(wanted)
})

test('a period is somewhere between its start and its end, never beyond', () => {
  const passed = (now: string, values: object = {}) =>
    passedOf(Object.assign(Object.create(null), facts, values), new Date(now))
  expect(passed('2026-06-16T00:00:00Z')).toBe(0.5)
  expect(passed('2020-01-01T00:00:00Z')).toBe(0)
  expect(passed('2030-01-01T00:00:00Z')).toBe(1)
  expect(passed('2026-06-16T00:00:00Z', { stripeSubscriptionStatus: 'canceled' })).toBeUndefined()
  expect(passed('2026-06-16T00:00:00Z', { stripeCurrentPeriodEnd: '' })).toBeUndefined()
  expect(passed('2026-07-01T00:00:00Z', { stripeSubscriptionStatus: 'trialing', trialEnd: later })).toBeCloseTo(30 / 61)
})

test.each([
  ['it is still open', { stripeSubscriptionStatus: 'past_due' }, { stripeSubscriptionStatus: 'past_due' }, undefined],
  ['it is paid', { stripeSubscriptionStatus: 'past_due' }, {}, 'received'],
  [
    'it was canceled unpaid',
    { stripeSubscriptionStatus: 'past_due' },
    { stripeSubscriptionStatus: 'canceled' },
    'over',
  ],
  ['the change is made', { stripeSdkUrl: 'https://pay.example' }, { userCount: 4 }, 'received'],
  ['the change is given up', { stripeSdkUrl: 'https://pay.example' }, {}, 'notMade'],
] as const)('a payment that somebody went to make: %s', (_what, before, now, wanted) => {
  const row = { ...facts, stripeSdkUrl: '', userType: 2, userCount: 3, isExpiring: 1 }
  const as = (values: object) => Object.assign(Object.create(null), row, values)
  expect(paymentOutcome(as(before), as(now))).toBe(wanted)
})

test.each([
  [{ stripeSdkUrl: 'https://pay.example', payType: 'card', needsConfirmation: 0 }, true, 'pay'],
  [{ stripeSdkUrl: 'https://pay.example', payType: 'card', needsConfirmation: 1 }, true, 'confirm'],
  [{ stripeSdkUrl: 'https://pay.example', payType: 'card', needsConfirmation: 0 }, false, 'card'],
  [{ stripeSdkUrl: '', payType: 'card', needsConfirmation: 0 }, true, 'card'],
  [{ stripeSdkUrl: '', payType: 'paypal', needsConfirmation: 0 }, true, 'paypal'],
  [{ stripeSdkUrl: '', payType: '', needsConfirmation: 0 }, true, undefined],
] as const)('a failed payment always has a next step: %o, sold here: %s', (facts, maySell, wanted) => {
  expect(dueAction(facts, maySell)).toBe(wanted)
})

test('a payment beside the periods is due while they go on, is paid on its own page, and is no change', () => {
  const dueOrders = [
    { orderNumber: 'A-1', name: 'Data migration', date: later, amount: 4900, payUrl: 'https://pay.test' },
  ]
  const before = Object.assign(Object.create(null), facts, {
    stripeSdkUrl: '',
    userType: 2,
    payType: 'card',
    dueOrders,
  })
  expect([isDue(before), isChangeWaiting(before), dueAction(before, true)]).toEqual([true, false, 'pay'])
  expect(dueAction(before, false)).toBe('card')
  const after = (values: object) => Object.assign(Object.create(null), before, { dueOrders: undefined }, values)
  expect(paymentOutcome(before, before)).toBeUndefined()
  expect(paymentOutcome(before, after({}))).toBe('received')
  expect(paymentOutcome(before, after({ stripeSubscriptionStatus: 'canceled' }))).toBe('over')
})

test('a product names its subscription, unless another one in the list has the same', () => {
  const list = [
    { stripeSubscriptionId: 'sub_1', appName: 'Editor' },
    { stripeSubscriptionId: 'sub_2', appName: 'eSign' },
    { stripeSubscriptionId: 'sub_3', appName: 'Editor' },
  ]
  expect(list.map((one) => isNameShared(one, list))).toEqual([true, false, true])
  expect(list.map((one) => isNameShared(one, [one]))).toEqual([false, false, false])
})

test('what no page takes is due as long as it can be paid with a card, also once access has ended', () => {
  const row = { ...facts, stripeSubscriptionStatus: 'past_due', userType: 2, stripeSdkUrl: '' }
  const as = (values: object) => Object.assign(Object.create(null), row, values)
  expect(isDue(as({ payType: 'card', dueAmount: 6000 }))).toBe(true)
  expect(isDue(as({ payType: 'card' }))).toBe(false)
  expect(isDue(as({ payType: 'paypal', dueAmount: 6000 }))).toBe(false)
})
