import { expect, test } from 'vitest'
import { addressSearch } from './address-search.ts'
import { groups, tabNamed, tabs } from './tabs.ts'

test.each([
  ['security-settings', 'security-settings'],
  ['Security Settings', 'security-settings'],
  ['SECURITY_SETTINGS', 'security-settings'],
  ['securitysettings', 'security-settings'],
  ['My-Orders', 'my-orders'],
  [' my orders ', 'my-orders'],
  ['ViewTickets', 'view-tickets'],
])('%j is the tab %s', (wanted, name) => {
  expect(tabNamed(wanted).name).toBe(name)
})

test.each([undefined, null, '', 'no-such-tab', 7, '__proto__', 'constructor', ['profile', 'my-orders']])(
  'an unknown tab is the profile: %j',
  (wanted) => {
    expect(tabNamed(wanted).name).toBe('profile')
  },
)

test('a group opens its first child', () => {
  expect(tabNamed('Account').name).toBe('profile')
  expect(tabNamed('support').name).toBe('feedback')
})

test('every tab stands in a group of the menu', () => {
  const names = groups.map(({ name }) => name)
  for (const tab of tabs) expect(names).toContain(tab.group)
})

test('the address is written with the canonical name, and only with what the tab knows', () => {
  expect(addressSearch({ tab: 'MY ORDERS', page: '3', sort: 'x' })).toEqual({ tab: 'my-orders', page: 3 })
  expect(addressSearch({ tab: 'Profile', page: '3' })).toEqual({ tab: 'profile' })
})

test.each(['0', '-1', '1.5', 'two', '', '99999999'])('a page that cannot be falls away: %j', (page) => {
  expect(addressSearch({ tab: 'my-orders', page }).page).toBeUndefined()
})
