import { expect, test } from 'vitest'
import { licenseActions, maskKey } from './licenses.rules.ts'

test('a key is shown as its first ten characters, asterisks and its last five', () => {
  expect(maskKey('65410-00107KD93M-4F7K2Q5')).toBe('65410-0010*********7K2Q5')
})

test('of a short key, enough is hidden to make guessing infeasible', () => {
  expect(maskKey('65410-00107KD93M')).toBe('654********KD93M')
})

const nothing = {
  relationship: 'Holder',
  userRole: '',
  activationMethod: 'keycode',
  flags: [],
  managesUsers: false,
  acLiceId: '',
} as const

test('only a Holder has access to keys, devices, users and the admin console', () => {
  const everything = { ...nothing, flags: ['adminConsole'], managesUsers: true } as const
  expect(licenseActions(everything)).toEqual(['get_key', 'manage_devices', 'manage_user', 'admin_console'])
  expect(licenseActions({ ...everything, relationship: 'Partner' })).toEqual([])
  expect(licenseActions({ ...everything, relationship: 'Contact' })).toEqual([])
})

test('a license activated by e-mail has no key to get', () => {
  expect(licenseActions({ ...nothing, activationMethod: 'email' })).toEqual(['manage_devices'])
})

test('users are not managed under the individual suite', () => {
  expect(licenseActions({ ...nothing, managesUsers: true, flags: ['individualSuite'] })).not.toContain('manage_user')
})

test.each(['bill', 'commercial'] as const)('%s may convert and buy more, whatever the relationship', (userRole) => {
  const buyer = {
    ...nothing,
    relationship: 'Contact',
    userRole,
    acLiceId: 'AC-1',
    flags: ['additionalLicenses'],
  } as const
  expect(licenseActions(buyer)).toEqual(['purchase', 'purchase_additional'])
  expect(licenseActions({ ...buyer, acLiceId: '' })).toEqual(['purchase_additional'])
  expect(licenseActions({ ...buyer, flags: [] })).toEqual(['purchase'])
})

test.each(['', 'ship', 'sold'] as const)('“%s” has no purchases', (userRole) => {
  const facts = { ...nothing, userRole, acLiceId: 'AC-1', flags: ['additionalLicenses'] } as const
  expect(licenseActions(facts)).toEqual(['get_key', 'manage_devices'])
})
