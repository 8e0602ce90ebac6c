import { brandName as nameOfBrand } from '@atrium/contract/card-brands.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { daysLater } from '../../db/calendar.rules.ts'
import type { PaidCard } from '../../outside/billed-invoice.ts'
import { declineReason } from '../payments/declines.rules.ts'
import { emailFormats } from './email-formats.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

export interface DueFacts {
  /** As it is after what happened. */
  row: SubscriptionRow
  /** Days of access after a failed payment. */
  pastDueDays: number
  /** Whose payment has failed; undefined: not known. */
  declinedCard?: PaidCard | undefined
}

/** The texts of a language, and its formats. */
function wordsOf(lang: LocaleCode) {
  const formats = emailFormats(lang)
  const { folder } = formats.locale
  return {
    ...formats,
    t: serverTexts(folder, 'account-mail'),
    /** The words of the page, so that both say the same. */
    pageText: serverTexts(folder, 'subscriptions'),
    problems: serverTexts(folder, 'problems'),
    cards: serverTexts(folder, 'cards'),
  }
}

/** When it is tried again, until when access lasts, and how to pay. */
export function notesOfDue(
  { row, pastDueDays, declinedCard }: DueFacts,
  { hasFailed, lang }: { hasFailed: boolean; lang: LocaleCode },
): string[] {
  const { t, pageText, day } = wordsOf(lang)
  const { nextAttemptAt, pastDueSince } = row
  return [
    ...(hasFailed ? whyDeclined(row, declinedCard, lang) : []),
    ...(hasFailed && nextAttemptAt ? [t('subscription.retry', { date: day(nextAttemptAt) })] : []),
    ...(pastDueSince ? [pageText('due.access', { date: day(daysLater(pastDueSince, pastDueDays)) })] : []),
    ...(hasFailed ? [wayToPay(row, lang)] : []),
  ]
}

/** Which card, and why; nothing for what is paid to a partner. */
function whyDeclined({ declineCode, isPriceHidden }: SubscriptionRow, card: PaidCard | undefined, lang: LocaleCode) {
  if (declineCode === '' || isPriceHidden) return []
  const { problems, cards } = wordsOf(lang)
  const name = card && `${nameOfBrand(card.brand) ?? cards('unknownBrand')} ••••\u00a0${card.last4}`
  const reason = problems([`card_refused_${declineReason(declineCode)}`, 'card_refused'])
  return [...(name ? [problems('declined_with_card', { card: name })] : []), reason]
}

function wayToPay({ isPriceHidden, channel, dueUrl }: SubscriptionRow, lang: LocaleCode): string {
  const { t, pageText } = wordsOf(lang)
  if (isPriceHidden) return pageText('due.partner')
  if (channel === 'paypal') return pageText('due.paypal')
  return dueUrl === '' ? pageText('due.card') : t('subscription.payCard')
}
