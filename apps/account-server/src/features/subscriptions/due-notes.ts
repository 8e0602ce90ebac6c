import type { LocaleCode } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { daysLater } from '../../db/calendar.rules.ts'
import type { PaidCard } from '../../outside/billed-invoice.ts'
import type { Payer } from '../../outside/card-provider/payer.ts'
import { declineReason } from '../payments/declines.rules.ts'
import type { DueOrder } from './due-orders.queries.ts'
import { emailFormats } from './email-formats.ts'
import { isHeldBack } from './late-increases.rules.ts'
import { cardText, lackOfPayer, payerNote } from './payer-notes.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

export interface DueFacts {
  /** As it is after what happened. */
  row: SubscriptionRow
  now: Date
  /** Days of access after a failed payment. */
  pastDueDays: number
  /** Whose payment has failed; undefined: not known. */
  declinedCard?: PaidCard | undefined
  /** What pays for it; left out: not known, or not by card. */
  payer?: Payer | undefined
  /** What is due, oldest first; left out: not known. */
  dueOrders?: readonly DueOrder[] | null
}

/** What several open invoices ask for, as names and amounts; nothing for a single one, whose amount is the sum. */
export function factsOfDue({ row, dueOrders }: DueFacts, lang: LocaleCode): [name: string, value: string][] {
  const { currency, isPriceHidden } = row
  if (!dueOrders || dueOrders.length < 2 || currency === null || isPriceHidden) return []
  const { day, money } = emailFormats(lang)
  return dueOrders.map(({ name, date, amount }) => [`${name} · ${day(new Date(date))}`, money(amount, currency)])
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
  }
}

/** When it is tried again, until when access lasts, and how to pay. */
export function notesOfDue(
  { row, pastDueDays, declinedCard, payer, now }: DueFacts,
  { hasFailed, lang }: { hasFailed: boolean; lang: LocaleCode },
): string[] {
  const { t, pageText, day } = wordsOf(lang)
  const { nextAttemptAt, pastDueSince, declineCode: code } = row
  return [
    // What was bought through a partner is paid there.
    ...(hasFailed && !row.isPriceHidden ? whyDeclined({ code, card: declinedCard }, lang) : []),
    ...(hasFailed && !row.isPriceHidden ? payerOfRetry(payer, { now, nextAttemptAt, lang }) : []),
    ...(hasFailed && nextAttemptAt ? [t('subscription.retry', { date: day(nextAttemptAt) })] : []),
    ...(pastDueSince ? [pageText('due.access', { date: day(daysLater(pastDueSince, pastDueDays)) })] : []),
    ...(isHeldBack(row) ? [pageText('due.added')] : []),
    ...(hasFailed ? [wayToPay(row, lang)] : []),
  ]
}

/** That nothing would pay at the next attempt; of a card that has expired already, the declined payment has said it. */
function payerOfRetry(payer: Payer | undefined, { now, nextAttemptAt, lang }: Retry): string[] {
  return lackOfPayer(payer, now) === 'expired' ? [] : payerNote(payer, nextAttemptAt ?? now, lang)
}

interface Retry extends Pick<SubscriptionRow, 'nextAttemptAt'> {
  now: Date
  lang: LocaleCode
}

interface Declined {
  /** The provider's; empty: not known. */
  code: string
  card?: PaidCard | null | undefined
}

/** Which card, and why. */
export function whyDeclined({ code, card }: Declined, lang: LocaleCode): string[] {
  if (code === '') return []
  const { problems } = wordsOf(lang)
  const reason = problems([`card_refused_${declineReason(code)}`, 'card_refused'])
  return [...(card ? [problems('declined_with_card', { card: cardText(card, lang) })] : []), reason]
}

function wayToPay({ isPriceHidden, channel, dueUrl }: SubscriptionRow, lang: LocaleCode): string {
  const { t, pageText } = wordsOf(lang)
  if (isPriceHidden) return pageText('due.partner')
  if (channel === 'paypal') return pageText('due.paypal')
  return dueUrl === '' ? pageText('due.card') : t('subscription.payCard')
}
