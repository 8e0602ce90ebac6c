import { expect, test } from 'vitest'
import { networkOf, siteOf } from './network.ts'

test('the network of an address is a single IPv4 address, or a /64 of IPv6', () => {
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:0db8:0001:0002::9')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8::9')).toBe('2001:db8:0:0::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})

test('the site of an address is a single IPv4 address, or a /48 of IPv6', () => {
  expect(siteOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
  expect(siteOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1::/48')
  expect(siteOf('2001:db8::9')).toBe('2001:db8:0::/48')
})
