import type { License } from '@atrium/contract/licenses.ts'
import { english, localeByCode } from '@atrium/contract/locale.ts'
import { expect, test } from 'vitest'
import { additionalLicensesUrl, conversionUrl } from '../../page/shop.rules.ts'
import { endOf, isRenewable, languageName, offeredActions } from './licenses.rules.ts'

const license: License = {
  licenseId: 'LIC-1',
  productCode: 'FPM',
  productName: 'Folio PDF Editor for Mac',
  version: '14.0',
  language: 'en-us',
  edition: '',
  platform: 'Mac',
  totalLicenseNum: 5,
  expirationDate: 0,
  createDate: '2026-01-01T00:00:00.000Z',
  status: 'valid',
  relationship: 'Holder',
  userRole: 'bill',
  acConvertInfo: null,
  terms: { activationMethod: 'keycode', activationKey: '', codeStatus: 'active' },
  downloadUrl: {},
  subId: null,
  subUserInfo: null,
  actions: ['purchase', 'manage_devices', 'get_key', 'purchase_additional'],
}

const russian = localeByCode('ru-ru') ?? english
const german = localeByCode('de-de') ?? english

test('actions of the license come before purchases', () => {
  expect(offeredActions(license, english)).toEqual(['get_key', 'manage_devices', 'purchase', 'purchase_additional'])
})

test('there are no purchases in Russian', () => {
  expect(offeredActions(license, russian)).toEqual(['get_key', 'manage_devices'])
})

test.each([
  [{ expirationDate: 0 }, 'perpetual'],
  [{ expirationDate: 1_900_000_000 }, 'date'],
  [{ status: 'expired' as const, expirationDate: 1_700_000_000 }, 'date'],
  [{ status: 'expired' as const, terms: { ...license.terms, codeStatus: 'revoked' as const } }, 'revoked'],
])('the end of %j: %s', (changes, end) => {
  expect(endOf({ ...license, ...changes })).toBe(end)
})

test('an expired license offers a renewal quote: not a revoked one, and not in Russian', () => {
  const expired = { ...license, status: 'expired' as const }
  expect(isRenewable(license, english)).toBe(false)
  expect(isRenewable(expired, english)).toBe(true)
  expect(isRenewable(expired, russian)).toBe(false)
  expect(isRenewable({ ...expired, terms: { ...license.terms, codeStatus: 'revoked' } }, english)).toBe(false)
})

test('purchases lead to the shop in the reader’s language', () => {
  const shop = { siteUrl: 'https://folio.test', locale: german }
  expect(conversionUrl(shop, 'pdf-editor', 'LIC 1')).toBe(
    'https://folio.test/de/shopping/checkout/?sku=pdf-editor&license_id=LIC+1&license=yearly',
  )
  expect(additionalLicensesUrl({ ...shop, locale: english }, 'pdf-editor-mac')).toBe(
    'https://folio.test/shopping/checkout/?sku=pdf-editor-mac&language=en-us&license=one-time&buyNum=1',
  )
})

test('a language code is shown by name in the reader’s language; other values are not changed', () => {
  expect(languageName('de-de', 'en-us')).toMatch(/^German/)
  expect(languageName('en-us', 'de-de')).toMatch(/^Englisch/)
  expect(languageName('Multilingual', 'de-de')).toBe('Multilingual')
  expect(languageName('', 'de-de')).toBe('')
})
