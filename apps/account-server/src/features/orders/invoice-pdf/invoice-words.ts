import { english, localeByCode } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import type { InvoiceDocument } from './invoice-document.ts'

/** The texts of a document in its language, and its formats for amounts, dates and countries. */
export function wordsOf({ lang, kind, currency }: Pick<InvoiceDocument, 'lang' | 'kind' | 'currency'>) {
  const locale = localeByCode(lang) ?? english
  const t = serverTexts(locale.folder, 'invoice')
  const money = new Intl.NumberFormat(lang, { style: 'currency', currency })
  const digits = money.resolvedOptions().maximumFractionDigits ?? 2
  const day = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' })
  const countries = new Intl.DisplayNames([lang], { type: 'region' })

  return {
    /** `Invoice`, `Pro forma invoice`, `Order summary`. */
    title: t(`title.${kind}`),
    /** The closing sentence, or that it is not an invoice. */
    note: t(`note.${kind}`),
    invoiceNumber: t('invoiceNumber'),
    invoiceDate: t('invoiceDate'),
    orderNumber: t('orderNumber'),
    orderDate: t('orderDate'),
    from: t('from'),
    to: kind === 'summary' ? t('customer') : t('billedTo'),
    taxId: (number: string) => (number === '' ? '' : t('taxId', { number })),
    description: t('description'),
    amounts: t('amount', { currency }),
    subtotal: t('subtotal'),
    tax: t('tax'),
    total: t('total'),
    page: (page: number, pages: number) => t('page', { page, pages }),
    amount: (minorUnits: number | null) => (minorUnits === null ? '–' : money.format(minorUnits / 10 ** digits)),
    /** The day in UTC, the same for every reader. */
    date: (date: Date) => day.format(date),
    country: (code: string) => (code === '' ? '' : (countries.of(code) ?? code)),
  }
}

export type Words = ReturnType<typeof wordsOf>
