import { english, type LocaleCode, localeByCode } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { dayFormat, numberFormat } from '@atrium/server-kit/formats.ts'
import type { LineWords } from './billed-orders.rules.ts'

/** The texts of an order's lines in a language. Days are those of UTC, the same for every reader. */
export function lineWords(lang: LocaleCode): LineWords {
  const { folder } = localeByCode(lang) ?? english
  const t = serverTexts(folder, 'invoice')
  const day = dayFormat(lang, 'medium')
  const number = numberFormat(lang)
  return {
    line: (kind, { product, quantity, from, to }) =>
      t(`line.${kind}`, { product, quantity: number.format(quantity), from: day.format(from), to: day.format(to) }),
    discount: t('line.discount'),
  }
}
