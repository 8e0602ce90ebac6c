import { menuEntryOf, tabNamed as named, tabGroups } from '@atrium/contract/tabs.ts'
import { expect, test } from 'vitest'
import { addressSearch as searchOf, writeSearch } from './page/address-search.ts'
import { tabsOf } from './tabs.ts'

const settings = { cards: { scriptUrl: 'https://cards.test/sdk.js', publishableKey: 'pk_test_1' } }
const tabs = tabsOf(settings)
const tabNamed = (wanted: unknown) => named(tabs, wanted)
const addressSearch = (raw: Readonly<Record<string, unknown>>) => searchOf(raw, tabs)

test.each([
  ['security-settings', 'security-settings'],
  ['Security Settings', 'security-settings'],
  ['SECURITY_SETTINGS', 'security-settings'],
  ['securitysettings', 'security-settings'],
  ['My-Orders', 'my-orders'],
  [' my orders ', 'my-orders'],
  ['ViewTickets', 'view-tickets'],
  ['Roadmap', 'roadmap'],
  ['ROAD_MAP', 'roadmap'],
  ['License Management', 'license-management'],
  ['device_management', 'device-management'],
  ['Billing Address Management', 'billing-address-management'],
  ['Plans & Products', 'my-subscriptions'],
])('%j is the tab %s', (wanted, name) => {
  expect(tabNamed(wanted).name).toBe(name)
})

test.each([undefined, null, '', 'no-such-tab', 7, '__proto__', 'constructor', ['profile', 'my-orders']])(
  'an unknown tab is the profile: %j',
  (wanted) => {
    expect(tabNamed(wanted).name).toBe('profile')
  },
)

test('without a card provider there is no tab for cards, and its address opens the profile', () => {
  const without = tabsOf({ cards: null })
  const names = without.map(({ name }) => name)
  expect(names).not.toContain('payment-option-management')
  expect(names).toHaveLength(tabs.length - 1)
  for (const wanted of ['payment-option-management', 'Payment Option Management']) {
    expect(named(without, wanted).name).toBe('profile')
    expect(searchOf({ tab: wanted }, without)).toEqual({ tab: 'profile' })
    expect(tabNamed(wanted).name).toBe('payment-option-management')
  }
})

test('a group opens its first child', () => {
  expect(tabNamed('Account').name).toBe('profile')
  expect(tabNamed('Management').name).toBe('license-management')
  expect(tabNamed('support').name).toBe('feedback')
})

test('the roadmap has no entry in the menu: My Products is current while it is open', () => {
  const without = tabs.filter((tab) => menuEntryOf(tab) !== tab.name)
  expect(without.map((tab) => [tab.name, menuEntryOf(tab)])).toEqual([['roadmap', 'my-products']])
})

test('the filters of the roadmap are in the address; values of another form are removed', () => {
  const filters = { status: 'in_beta', planCycle: '2026-Q4', productType: 'Web', keyword: 'x', currentQuarter: '1' }
  expect(addressSearch({ tab: 'Roadmap', ...filters, page: '2' })).toEqual({ tab: 'roadmap', ...filters, page: 2 })
  const wrong = { status: 'shipped', planCycle: '2026-Q5', productType: ' ', keyword: '', currentQuarter: '0' }
  expect(writeSearch(addressSearch({ tab: 'road_map', ...wrong }))).toBe('?tab=roadmap')
})

test('the menu has the groups of the specification, each with its entries in order', () => {
  const entries = tabs.filter((tab) => menuEntryOf(tab) === tab.name)
  const menu = tabGroups.map((group) => [
    group.name,
    ...entries.flatMap((tab) => (tab.group === group.name ? [tab.name] : [])),
  ])
  expect(menu).toEqual([
    ['account', 'profile', 'security-settings'],
    ['orders', 'my-orders'],
    ['plans-products', 'my-subscriptions', 'my-products'],
    [
      'management',
      'license-management',
      'device-management',
      'payment-option-management',
      'billing-address-management',
    ],
    ['support', 'feedback', 'view-tickets'],
  ])
})

test('every tab is in a group of the menu', () => {
  const names = tabGroups.map(({ name }) => name)
  for (const tab of tabs) expect(names).toContain(tab.group)
})

test('the address has the canonical name, and only parameters that the tab knows', () => {
  expect(addressSearch({ tab: 'MY ORDERS', page: '3', sort: 'x' })).toEqual({ tab: 'my-orders', page: 3 })
  expect(addressSearch({ tab: 'Profile', page: '3' })).toEqual({ tab: 'profile' })
})

test.each(['0', '-1', '1.5', 'two', '', '99999999'])('an invalid page is removed: %j', (page) => {
  expect(addressSearch({ tab: 'my-orders', page }).page).toBeUndefined()
})

test('License Management keeps a subscription, its filters and a product; unknown parameters are removed', () => {
  expect(
    addressSearch({
      tab: 'License Management',
      subId: 'sub_1',
      sku: 'pdf',
      status: 'gone',
      range: 'one-year',
      code: 'x',
    }),
  ).toEqual({ tab: 'license-management', subId: 'sub_1', sku: 'pdf', range: 'one-year' })
})

test('Device Management keeps a key’s opaque id, and no other value', () => {
  const code = '0b6b2c1e-5a1f-4a5e-9d3c-3f1f6d1f2a10'
  expect(addressSearch({ tab: 'device-management', method: 'keycode', code })).toEqual({
    tab: 'device-management',
    method: 'keycode',
    code,
  })
  expect(addressSearch({ tab: 'device-management', method: 'email', code: '65410-0010V-6SLSQ' })).toEqual({
    tab: 'device-management',
  })
})

test('the filters of the orders are in the address in wire form; others are removed', () => {
  const filters = { status: 'CO', range: 'three-month', keyWord: 'Mac', list: 'offline' }
  expect(addressSearch({ tab: 'my-orders', ...filters })).toEqual({ tab: 'my-orders', ...filters })
  const wrong = { status: 'co', range: 'ever', keyWord: ' ', list: 'online' }
  expect(writeSearch(addressSearch({ tab: 'my-orders', ...wrong }))).toBe('?tab=my-orders')
  expect(addressSearch({ tab: 'my-orders', keyWord: 'x'.repeat(201) }).keyWord).toBeUndefined()
})

test.each(['new', 'renewal', 'volume'])('every tab keeps the quote dialog of the kind %s in its address', (quote) => {
  for (const { name } of tabs) expect(addressSearch({ tab: name, quote })).toEqual({ tab: name, quote })
})

test('a quote dialog of an unknown kind is removed', () => {
  expect(addressSearch({ tab: 'profile', quote: 'everything' }).quote).toBeUndefined()
})
