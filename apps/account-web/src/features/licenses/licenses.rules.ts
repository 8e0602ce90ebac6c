import type { License, LicenseAction, listLicenses } from '@atrium/contract/licenses.ts'
import type { Locale } from '@atrium/contract/locale.ts'
import type { z } from 'zod'
import { maySell } from '../../page/shop.rules.ts'

/** By likelihood of use: the first is the row's button. */
const order: readonly LicenseAction[] = [
  'get_key',
  'manage_user',
  'manage_devices',
  'admin_console',
  'purchase',
  'purchase_additional',
]

const purchases: readonly LicenseAction[] = ['purchase', 'purchase_additional']

/** The actions that the server allows and the page offers. */
export function offeredActions(license: License, locale: Locale): LicenseAction[] {
  return order.filter((action) => license.actions.includes(action) && (maySell(locale) || !purchases.includes(action)))
}

/** The end of a license: a date, or a word. */
export function endOf({ status, expirationDate, terms }: License): 'date' | 'perpetual' | 'revoked' {
  if (status === 'expired' && terms.codeStatus === 'revoked') return 'revoked'
  return expirationDate === 0 ? 'perpetual' : 'date'
}

/** The name of `en-us` in the reader's language; other values (`Multilingual`) as the vendor writes them. */
export function languageName(language: string, locale: string): string {
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})?$/i.test(language)) return language
  return (
    new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard', style: 'short' }).of(language) ??
    language
  )
}

/** The number of licenses that match the filters, of all products together. */
export function matchesOf({ licenses }: z.output<typeof listLicenses.reply>): number {
  return Object.values(licenses).reduce((sum, { totalLicenseIdNum }) => sum + totalLicenseIdNum, 0)
}

/** Whether a quote for its renewal can be requested: once it has expired, but not when it was revoked. */
export function isRenewable(license: License, locale: Locale): boolean {
  return license.status === 'expired' && license.terms.codeStatus !== 'revoked' && maySell(locale)
}
