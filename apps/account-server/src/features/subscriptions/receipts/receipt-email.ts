import { brandName as nameOfBrand } from '@atrium/contract/card-brands.ts'
import { english, type LocaleCode, localeByCode, localePath } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import {
  emailAmounts,
  emailButton,
  emailFacts,
  emailHtml,
  emailNote,
  emailParagraph,
  subjectLine,
} from '@atrium/server-kit/email-html.ts'
import { formatAmount, formatDay } from '@atrium/server-kit/formats.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import { greetedName } from '../../../db/members.rules.ts'
import type { members } from '../../../db/members.tables.ts'
import type { PaidCard } from '../../../outside/billed-invoice.ts'
import { isDiscount, orderTotals } from '../../orders/order-totals.rules.ts'
import type { PaidOrder } from '../../orders/receipts.writes.ts'
import { totalWords } from '../../orders/total-words.rules.ts'
import type { LastDecline } from '../subscriptions.tables.ts'
import type { OrderRow } from './receipt.queries.ts'

export interface Receipt extends Pick<PaidOrder, 'channel'> {
  order: Pick<
    OrderRow,
    | 'orderNumber'
    | 'invoiceNumber'
    | 'lines'
    | 'amount'
    | 'total'
    | 'tax'
    | 'currency'
    | 'date'
    | 'locale'
    | 'refundedAmount'
    | 'refundedAt'
  >
  /** What was bought. */
  productName: string
  /** Undefined: not known, or PayPal. */
  card: PaidCard | undefined
  /** The card that pays the next renewal although it was declined; undefined: another one pays. */
  declinedNext: LastDecline | undefined
  member: Pick<typeof members.$inferSelect, 'firstName' | 'lastName' | 'locale'>
  brandName: string
  brandColor: string
  publicUrl: string
}

/** What was paid, in the language of the invoice, as text and as HTML with the same words. */
export function receiptEmail(receipt: Receipt): Pick<Email, 'subject' | 'text' | 'html'> {
  const { order, productName, member, brandName, brandColor, publicUrl } = receipt
  const words = wordsOf(order.locale ?? member.locale, order.currency)
  const { locale, t } = words
  const name = greetedName(locale.code, member)
  const values = { product: productName, amount: words.money(order.amount) }
  const lead = [name === '' ? t('greetingUnnamed') : t('greeting', { name }), t('receipt.body', values)]
  const amounts = [...linesOf(order, words), ...totalsOf(order, words)]
  const facts = factsOf(receipt, words)
  const notes = [...refundOf(order, words), ...nextCardOf(receipt, words), t('receipt.invoice')]
  const url = `${publicUrl}${localePath(locale, '/account')}?tab=my-orders`
  const label = t('receipt.open')
  const signature = t('signature', { brand: brandName })
  const listed = (rows: readonly (readonly [string, string])[]) => rows.map((row) => row.join(': ')).join('\n')

  return {
    subject: subjectLine(t('receipt.subject', values)),
    text: [
      ...lead,
      listed(amounts.map(({ text, amount }) => [text, amount])),
      listed(facts),
      ...notes,
      `${label}:\n${url}`,
      signature,
    ].join('\n\n'),
    html: emailHtml({
      language: locale.code,
      brandName,
      parts: [
        ...lead.map(emailParagraph),
        emailAmounts(amounts),
        emailFacts(facts),
        ...notes.map(emailNote),
        emailButton({ url, label, color: brandColor }),
        emailParagraph(signature),
      ],
    }),
  }
}

/** The texts of a language; the labels are those of the invoice. */
function wordsOf(lang: LocaleCode, currency: string) {
  const locale = localeByCode(lang) ?? english
  return {
    locale,
    t: serverTexts(locale.folder, 'account-mail'),
    invoice: serverTexts(locale.folder, 'invoice'),
    cards: serverTexts(locale.folder, 'cards'),
    orders: serverTexts(locale.folder, 'orders'),
    totals: totalWords(locale.folder),
    problems: serverTexts(locale.folder, 'problems'),
    subscriptions: serverTexts(locale.folder, 'subscriptions'),
    day: (date: Date) => formatDay(locale.code, date),
    money: (amount: number) => formatAmount(locale.code, { amount, currency }),
  }
}

type Words = ReturnType<typeof wordsOf>

interface Amount {
  text: string
  amount: string
  isTotal?: boolean
}

/** What was bought, with credits. */
function linesOf({ lines }: Receipt['order'], { money }: Words): Amount[] {
  const bought = lines.filter((line) => !isDiscount(line))
  return bought.map(({ text, amount }) => ({ text, amount: amount === null ? '–' : money(amount) }))
}

/** The totals of the invoice, without a tax of nothing, and without a subtotal that only repeats the lines. */
function totalsOf({ lines, total, amount, tax }: Receipt['order'], { totals, money }: Words): Amount[] {
  const rows = orderTotals({ lines, total: total ?? amount, amount, tax })
  const hasDiscount = rows.some(({ name }) => name === 'discount')
  return rows
    .filter((row) => (row.name === 'tax' && row.amount === 0 ? false : row.name !== 'subtotal' || hasDiscount))
    .map(({ name, amount }) => ({
      text: totals[name],
      amount: money(amount),
      ...((name === 'total' || name === 'charged') && { isTotal: true }),
    }))
}

function factsOf({ order, channel, card }: Receipt, words: Words) {
  const { t, invoice, day } = words
  const { orderNumber, invoiceNumber, date } = order
  const facts: readonly (readonly [name: string, value: string])[] = [
    [t('receipt.paidWith'), channel === 'paypal' ? 'PayPal' : nameOfCard(card, words)],
    [invoice('orderNumber'), orderNumber],
    [invoice('orderDate'), day(date)],
    [invoice('invoiceNumber'), invoiceNumber],
  ]
  return facts.filter(([, value]) => value !== '')
}

function nameOfCard(card: PaidCard | undefined, { cards }: Words): string {
  return card ? `${nameOfBrand(card.brand) ?? cards('unknownBrand')} ••••\u00a0${card.last4}` : ''
}

/** Otherwise the next renewal would fail again. */
function nextCardOf({ declinedNext: card }: Receipt, words: Words): string[] {
  if (!card) return []
  const { problems, subscriptions, day } = words
  const date = day(new Date(card.at))
  return [problems('declined_next', { card: nameOfCard(card, words), date }), subscriptions('due.card')]
}

/** What was refunded since. */
function refundOf({ refundedAmount, refundedAt }: Receipt['order'], { orders, money, day }: Words): string[] {
  if (refundedAmount === 0 || refundedAt === null) return []
  return [orders('refunded', { amount: money(refundedAmount), date: day(refundedAt) })]
}
