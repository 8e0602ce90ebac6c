import { english, localeByCode } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import type { InvoiceDocument } from './invoice-document.ts'

/** What a document says in its language; amounts, dates and countries as that language writes them. */
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
    /** What closes the document, or says what it is not. */
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
    /** The day in UTC: a document does not change with who reads it. */
    date: (date: Date) => day.format(date),
    country: (code: string) => (code === '' ? '' : (countries.of(code) ?? code)),
  }
}

export type Words = ReturnType<typeof wordsOf>
