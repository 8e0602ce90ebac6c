import { english, localeByCode } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { countryNames, formatAmount, formatDay } from '@atrium/server-kit/formats.ts'
import { totalWords } from '../total-words.rules.ts'
import type { InvoiceDocument } from './invoice-document.ts'

type Facts = Pick<InvoiceDocument, 'lang' | 'kind' | 'currency' | 'buyer'>

/** The texts of a document in its language, and its formats for amounts, dates and countries. */
export function wordsOf({ lang, kind, currency, buyer: { isReverseCharge } }: Facts) {
  const locale = localeByCode(lang) ?? english
  const t = serverTexts(locale.folder, 'invoice')
  return {
    /** `Invoice`, `Pro forma invoice`, `Order summary`. */
    title: t(`title.${kind}`),
    /** The closing sentences, or that it is not an invoice. */
    note: [...(isReverseCharge ? [t('reverseCharge')] : []), t(`note.${kind}`)].join(' '),
    invoiceNumber: t('invoiceNumber'),
    invoiceDate: t('invoiceDate'),
    orderNumber: t('orderNumber'),
    orderDate: t('orderDate'),
    from: t('from'),
    to: kind === 'summary' ? t('customer') : t('billedTo'),
    taxId: (number: string) => (number === '' ? '' : t('taxId', { number })),
    description: t('description'),
    amounts: t('amount', { currency }),
    totals: totalWords(locale.folder),
    page: (page: number, pages: number) => t('page', { page, pages }),
    amount: (minorUnits: number | null) =>
      minorUnits === null ? '–' : formatAmount(lang, { amount: minorUnits, currency }),
    /** The day in UTC, the same for every reader. */
    date: (date: Date) => formatDay(lang, date),
    country: (code: string) => (code === '' ? '' : (countryNames(lang).of(code) ?? code)),
  }
}

export type Words = ReturnType<typeof wordsOf>
