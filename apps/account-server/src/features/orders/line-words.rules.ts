import { dayRange } from '@atrium/contract/day-format.ts'
import { english, type LocaleCode, localeByCode } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { dayFormat, numberFormat } from '@atrium/server-kit/formats.ts'
import type { LineFacts, OrderLine } from './orders.tables.ts'

/** A line of an order in any language, as one sentence. A line that came as free text stays as it came; one that says nothing has a word. */
export function orderLineText({ text, facts }: OrderLine, lang: LocaleCode): string {
  if (facts) return lineText(facts, lang)
  return text.trim() === '' ? wordsOf(lang).t('line.unnamed') : text
}

/** Days are those of UTC, the same for every reader. */
export function lineText({ kind, ...facts }: LineFacts, lang: LocaleCode): string {
  const { t, day, number } = wordsOf(lang)
  if (kind === 'discount') return t('line.discount')
  const [from, to] = [facts.from, facts.to].map((date) => day.format(new Date(date)))
  const product = facts.product || t('line.unnamed')
  return t(`line.${kind}`, { product, quantity: number.format(facts.quantity), from, to })
}

/** The same line in two parts: what was bought, and for which time. Free text has no note. */
export function orderLineParts(line: OrderLine, lang: LocaleCode): { name: string; note: string } {
  const { facts } = line
  if (!facts || facts.kind === 'discount') return { name: orderLineText(line, lang), note: '' }
  const kind = facts.kind === 'setupFee' ? facts.kind : 'once'
  return { name: lineText({ ...facts, kind }, lang), note: noteOf(facts, lang) }
}

function noteOf({ kind, from, to }: LineFacts, lang: LocaleCode): string {
  const { t, day } = wordsOf(lang)
  if (kind === 'once' || kind === 'setupFee') return ''
  const period = dayRange(day, new Date(from), new Date(to))
  return kind === 'credit' || kind === 'remaining' ? t(`line.${kind}Note`, { period }) : period
}

function wordsOf(lang: LocaleCode) {
  const { folder } = localeByCode(lang) ?? english
  return { t: serverTexts(folder, 'invoice'), day: dayFormat(lang, 'medium'), number: numberFormat(lang) }
}
