import { type Locale, localePath, maySellIn } from '@atrium/contract/locale.ts'

interface Shop {
  siteUrl: string
  locale: Locale
}

/** Whether anything is sold in the page's language. */
export function maySell(locale: Locale): boolean {
  return maySellIn(locale.code)
}

/** `/shopping` of the vendor's site (000 §2). */
export function shopUrl({ siteUrl, locale }: Shop): string {
  return `${siteUrl}${localePath(locale, '/shopping')}`
}

/** Where a license is converted to the new admin console (000 §2). */
export function conversionUrl(shop: Shop, sku: string, acLiceId: string): string {
  const query = new URLSearchParams({ sku, license_id: acLiceId, license: 'yearly' })
  return `${shopUrl(shop)}/checkout/?${query}`
}

/** Where more licenses of the same product are bought (000 §2). */
export function additionalLicensesUrl(shop: Shop, sku: string): string {
  const query = new URLSearchParams({ sku, language: 'en-us', license: 'one-time', buyNum: '1' })
  return `${shopUrl(shop)}/checkout/?${query}`
}
