import type { License, LicenseAction } from '@atrium/contract/licenses.ts'
import { type Locale, localePath } from '@atrium/contract/locale.ts'

/** In the order in which a customer is likely to want them: the first is the row's button. */
const order: readonly LicenseAction[] = [
  'get_key',
  'manage_user',
  'manage_devices',
  'admin_console',
  'purchase',
  'purchase_additional',
]

const purchases: readonly LicenseAction[] = ['purchase', 'purchase_additional']

/** What the page offers of what the server allows: nothing is sold in Russian (000 §6). */
export function offeredActions(license: License, locale: Locale): LicenseAction[] {
  return order.filter((action) => license.actions.includes(action) && (maySell(locale) || !purchases.includes(action)))
}

export function maySell(locale: Locale): boolean {
  return locale.code !== 'ru-ru'
}

/** How a license ends: on its date, or as a word says. */
export function endOf({ status, expirationDate, terms }: License): 'date' | 'perpetual' | 'revoked' {
  if (status === 'expired' && terms.codeStatus === 'revoked') return 'revoked'
  return expirationDate === 0 ? 'perpetual' : 'date'
}

interface Shop {
  siteUrl: string
  locale: Locale
}

/** `/shopping` of the vendor's site (000 §2). */
export function shopUrl({ siteUrl, locale }: Shop): string {
  return `${siteUrl}${localePath(locale, '/shopping')}`
}

/** Where a license is converted to the new admin console (000 §2). */
export function conversionUrl(shop: Shop, sku: string, licenseId: string): string {
  const query = new URLSearchParams({ sku, license_id: licenseId, license: 'yearly' })
  return `${shopUrl(shop)}/checkout/?${query}`
}

/** Where more licenses of the same product are bought (000 §2). */
export function additionalLicensesUrl(shop: Shop, sku: string): string {
  const query = new URLSearchParams({ sku, language: 'en-us', license: 'one-time', buyNum: '1' })
  return `${shopUrl(shop)}/checkout/?${query}`
}

/** `en-us` by its name in the reader's language; anything else (`Multilingual`) as the vendor writes it. */
export function languageName(language: string, locale: string): string {
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})?$/i.test(language)) return language
  return (
    new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard', style: 'short' }).of(language) ??
    language
  )
}
