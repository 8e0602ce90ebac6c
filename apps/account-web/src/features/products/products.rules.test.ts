import type { MyProduct } from '@atrium/contract/products.ts'
import { expect, test } from 'vitest'
import {
  byUrgency,
  hasNoneActive,
  integrationsOf,
  labelOf,
  looksOf,
  placeOf,
  stateOf,
  tabsOf,
  waitingFor,
} from './products.rules.ts'

function product(values: Partial<MyProduct>): MyProduct {
  const usual = {
    appName: 'Editor',
    showTimeType: 'renew_date',
    showButtonType: 'view',
    integrations: [],
    remainDays: 90,
  }
  return { stripeSubscriptionId: 'sub-1', stripeSubscriptionStatus: 'active', ...usual, ...values } as MyProduct
}

test('trials have tabs of their own, and what is empty has none', () => {
  const trial = product({ isTrial: 1 })
  const groups = [
    { sku: 'plus', skuName: 'Editor+', subInfo: [product({})], trialInfo: [trial] },
    { sku: 'ai', skuName: 'Assistant', subInfo: [], trialInfo: [trial] },
  ]
  expect(tabsOf(groups).map(({ key, name, isTrial }) => [key, name, isTrial])).toEqual([
    ['plus', 'Editor+', false],
    ['plus:trial', 'Editor+', true],
    ['ai:trial', 'Assistant', true],
  ])
})

test('what must be done stands first, what is over last', () => {
  const [over, view, due] = [
    product({ showTimeType: 'has_expired', showButtonType: 'renew' }),
    product({}),
    product({ showTimeType: 'has_expired', showButtonType: 'past_due' }),
  ]
  expect(byUrgency([over, view, due])).toEqual([due, view, over])
  expect([hasNoneActive([over, due]), hasNoneActive([over, view])]).toEqual([true, false])
})

test('the button of a trial is for the cards if it needs one, and never says that a trial is renewed', () => {
  const trial = { autoRenewal: 0, payType: 'card', paymentMethodId: '', paidFrom: 'account', paidType: '' } as const
  expect(labelOf({ showButtonType: 'view', trial }, 'makeDefault')).toBe('makeDefault')
  expect(labelOf({ showButtonType: 'renew', trial }, undefined)).toBe('turnOn')
  expect(labelOf({ showButtonType: 'renew' }, undefined)).toBe('renew')
})

test.each([
  [{}, 'renew_date', 'good'],
  [{ showTimeType: 'begins_on', stripeSubscriptionStatus: 'pending' }, 'begins_on', 'info'],
  [{ showTimeType: '', stripeSubscriptionStatus: 'pending' }, 'pending', 'warning'],
  [{ showTimeType: 'expire_on', remainDays: 31 }, 'expire_on', 'good'],
  [{ showTimeType: 'expire_on', remainDays: 30 }, 'expire_on', 'warning'],
  [{ showTimeType: 'expire_on', showButtonType: 'past_due' }, 'access', 'bad'],
  [{ showTimeType: 'expire_on', stripeSubscriptionStatus: 'past_due', userType: 2 }, 'access', 'bad'],
  [{ showTimeType: 'expire_on', stripeSubscriptionStatus: 'past_due', userType: 0 }, 'expire_on', 'good'],
  [{ showTimeType: 'has_expired', showTime: '2026-01-01', stripeSubscriptionStatus: 'past_due' }, 'has_expired', 'off'],
  [{ showButtonType: 'pay_now' }, 'renew_date', 'warning'],
  [{ showButtonType: 'waiting_to_pay' }, 'renew_date', 'warning'],
  [{ showButtonType: 'confirm_plan' }, 'renew_date', 'warning'],
  [{ showTimeType: 'will_expire' }, 'will_expire', 'info'],
  [{ showTimeType: 'has_expired', showTime: '2026-01-01' }, 'has_expired', 'off'],
  [{ showTimeType: 'has_expired', showTime: '' }, 'over', 'off'],
  [{ showTimeType: '', stripeSubscriptionId: '' }, 'perpetual', 'good'],
  [{ showTimeType: '' }, 'noEnd', 'good'],
  [{ showTimeType: '', stripeSubscriptionStatus: 'pending' }, 'pending', 'warning'],
] as const)('%o is said as %s, %s', (values, key, tone) => {
  expect(stateOf(product(values))).toEqual({ key, tone })
})

test('what a button waits for is said beside it', () => {
  expect([waitingFor('pay_now'), waitingFor('waiting_to_pay')]).toEqual(['payment', 'payment'])
  expect(waitingFor('confirm_plan')).toBe('confirmation')
  expect([waitingFor('view'), waitingFor('past_due')]).toEqual([undefined, undefined])
})

test('an address is a place of this page or another site', () => {
  const origin = 'https://account.example'
  expect(placeOf('/de/account?tab=my-subscriptions&dialog=renew&sid=sub-1', origin)).toEqual({
    is: 'here',
    search: { tab: 'my-subscriptions', dialog: 'renew', sid: 'sub-1' },
  })
  expect(placeOf('https://pay.example/1', origin)).toEqual({ is: 'outside', href: 'https://pay.example/1' })
})

test('an integration is named once, with its products', () => {
  const drive = { integrations: [{ name: 'Drive' }] }
  const items = [product(drive), product({ ...drive, appName: 'Cloud' }), product(drive)]
  expect(integrationsOf(items)).toEqual([{ name: 'Drive', products: ['Editor', 'Cloud'] }])
})

test('only what must be done is a filled button', () => {
  expect(looksOf('upgrade')).toEqual({ variant: 'default' })
  expect(looksOf('pay_now')).toEqual({ variant: 'filled' })
  expect(looksOf('past_due')).toEqual({ variant: 'filled', color: 'bad' })
})
