import { brandName as nameOfBrand } from '@atrium/contract/card-brands.ts'
import { english, type LocaleCode, localeByCode, localePath } from '@atrium/contract/locale.ts'
import type { allTabs } from '@atrium/contract/tabs.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import {
  emailButton,
  emailFacts,
  emailHtml,
  emailNote,
  emailParagraph,
  subjectLine,
} from '@atrium/server-kit/email-html.ts'
import { dayFormat, formatAmount, numberFormat } from '@atrium/server-kit/formats.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import { daysLater } from '../../db/calendar.rules.ts'
import { greetedName } from '../../db/members.rules.ts'
import type { members } from '../../db/members.tables.ts'
import type { PaidCard } from '../../outside/billed-invoice.ts'
import { declineReason } from '../payments/declines.rules.ts'
import { canBegin } from './moving/moving.rules.ts'
import { renewalOf } from './next-plan.rules.ts'
import type { SubscriptionEmail } from './subscription-emails.rules.ts'
import { hasEndedUnpaid, isConfirmable, isPrepaid } from './subscription-flags.rules.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

export interface EmailContext {
  /** As it is after what happened. */
  row: SubscriptionRow
  productName: string
  member: Pick<typeof members.$inferSelect, 'firstName' | 'lastName' | 'locale'>
  brandName: string
  brandColor: string
  publicUrl: string
  /** Days of access after a failed payment. */
  pastDueDays: number
  /** Whose payment has failed; undefined: not known. */
  declinedCard?: PaidCard | undefined
  /** What renews unless a change is confirmed; undefined: what the row says. */
  renewing?: Renewing | undefined
}

/** What a provider bills, whatever was bought for the rest of the period. */
export interface Renewing
  extends Pick<SubscriptionRow, 'userCount' | 'storageCapacity' | 'connectors' | 'term' | 'price' | 'currency'> {
  productName: string
}

/** An email to the Owner in their language, as text and as HTML with the same words. Hidden prices are not in it. */
export function subscriptionEmail(
  happened: SubscriptionEmail,
  context: EmailContext,
): Pick<Email, 'subject' | 'text' | 'html'> {
  const { row, productName: product, member, brandName, brandColor } = context
  const { code, t, pageText, day } = wordsOf(member.locale)
  const isPartners = row.isPriceHidden && isAboutDue(happened)
  // A partner's customer has no payment to confirm.
  const kind = isPartners ? 'paymentFailed' : happened
  const name = greetedName(code, member)
  const date = dateOf(kind, row)
  const values = { product, date: date ? day(date) : '' }
  const lead = [
    name === '' ? t('greetingUnnamed') : t('greeting', { name }),
    isUnpaidEnd(kind, row) ? t('subscription.endedUnpaid', values) : t(`subscription.emails.${kind}.body`, values),
  ]
  const [facts, notes] = [factsOf(kind, context), notesOf(kind, context)]
  const signature = t('signature', { brand: brandName })
  const { url, label } = linkOf(kind, context)
  const list = facts.map(([title, value]) => `${title}: ${value}`).join('\n')

  return {
    subject: subjectLine(
      isPartners ? pageText('due.partnerTitle', { product }) : t(`subscription.emails.${kind}.subject`, values),
    ),
    text: [...lead, list, ...notes, `${label}:\n${url}`, signature].join('\n\n'),
    html: emailHtml({
      language: code,
      brandName,
      parts: [
        ...lead.map(emailParagraph),
        emailFacts(facts),
        // What to do about a failed payment is the point of that email.
        ...notes.map(isAboutDue(kind) ? emailParagraph : emailNote),
        emailButton({ url, label, color: brandColor }),
        emailParagraph(signature),
      ],
    }),
  }
}

function isAboutDue(kind: SubscriptionEmail): boolean {
  return kind === 'paymentFailed' || kind === 'confirmPayment'
}

/** What was bought through a partner is paid there. */
function isUnpaidEnd(kind: SubscriptionEmail, row: SubscriptionRow): boolean {
  return kind === 'ended' && hasEndedUnpaid(row) && !row.isPriceHidden
}

/** The texts of a language, and its formats. Days are those of UTC, the same for every reader. */
function wordsOf(lang: LocaleCode) {
  const locale = localeByCode(lang) ?? english
  return {
    locale,
    code: locale.code,
    t: serverTexts(locale.folder, 'account-mail'),
    /** The words of the page, so that both say the same. */
    pageText: serverTexts(locale.folder, 'subscriptions'),
    problems: serverTexts(locale.folder, 'problems'),
    cards: serverTexts(locale.folder, 'cards'),
    day: (date: Date) => dayFormat(locale.code, 'long').format(date),
    terabytes: (value: number) =>
      numberFormat(locale.code, { style: 'unit', unit: 'terabyte', unitDisplay: 'short' }).format(value),
    number: (value: number) => numberFormat(locale.code).format(value),
    money: (amount: number, currency: string) => formatAmount(locale.code, { amount, currency }),
  }
}

/** Emails about the end of a trial. */
const trialEmails: readonly SubscriptionEmail[] = ['trialStarted', 'trialEnding', 'trialRenewing', 'trialCardExpires']

/** The date that an email is about. */
function dateOf(kind: SubscriptionEmail, row: SubscriptionRow): Date | null {
  const { status, trialEnd, cancelAt, endedAt, periodEnd } = row
  if (trialEmails.includes(kind)) return trialEnd ?? periodEnd
  if (kind === 'ended' || kind === 'trialEnded') return endedAt
  if (kind === 'endSoon' && status === 'trialing') return cancelAt ?? trialEnd ?? periodEnd
  if (kind === 'renewalOff' || kind === 'endSoon') return endedAt ?? cancelAt ?? periodEnd
  return periodEnd
}

type Facts = readonly (readonly [name: string, value: string])[]

/** Emails about the subscription as a whole; the others show only what they are about. */
const complete: readonly SubscriptionEmail[] = [
  'started',
  'trialStarted',
  'trialRenewing',
  'trialCardExpires',
  'trialPaid',
  'renewed',
  'renewSoon',
  'renewalOn',
  'changed',
  'changeConfirmed',
  'confirmSoon',
  'changeAhead',
]

function factsOf(kind: SubscriptionEmail, { member, renewing, ...stored }: EmailContext): Facts {
  const row = renewing ? { ...stored.row, ...renewing, pendingPlanId: null, nextPlan: null } : stored.row
  const productName = renewing?.productName ?? stored.productName
  const { t, pageText, number, terabytes, money } = wordsOf(member.locale)
  const { term, currency, storageCapacity, connectors, dueAmount } = row
  const isComplete = complete.includes(kind)
  const isDueShown = isAboutDue(kind) && dueAmount !== null && currency !== null && !row.isPriceHidden
  const isTrial = kind !== 'trialEnding' && trialEmails.includes(kind)
  const price = isTrial ? nextPrice(row, member.locale) : ''
  const facts: Facts = [
    [pageText('columns.product'), productName],
    [pageText('columns.seats'), storageCapacity === 0 ? number(row.userCount) : ''],
    [t('subscription.storage'), storageCapacity > 0 ? terabytes(storageCapacity) : ''],
    [t('subscription.connectors'), connectors > 0 ? number(connectors) : ''],
    [pageText('columns.term'), isComplete && term ? pageText(`terms.${term}`) : ''],
    [t('subscription.amountDue'), isDueShown ? money(dueAmount, currency) : ''],
    [t('subscription.price'), price === '' ? '' : t('subscription.priceValue', { amount: price })],
    (isComplete && !isTrial) || kind === 'recovered' ? nextDate(row, member.locale) : ['', ''],
  ]
  return facts.filter(([, value]) => value !== '')
}

/** What the next term costs, before tax; empty: unknown, hidden, or not yet confirmed at PayPal. */
function nextPrice(row: SubscriptionRow, lang: LocaleCode): string {
  const { isPriceHidden } = row
  const { price, currency } = renewalOf(row)
  if (price === null || currency === null || isPriceHidden || isConfirmable(row)) return ''
  return wordsOf(lang).money(price, currency)
}

/** When it renews, and for how much, or when it ends, as things are now. What was paid is in the receipt. */
function nextDate(row: SubscriptionRow, lang: LocaleCode): readonly [string, string] {
  const { t, day } = wordsOf(lang)
  const { periodEnd, cancelAt, term } = row
  const end = cancelAt ?? (isPrepaid({ term }) ? periodEnd : null)
  if (end) return [t('subscription.ends'), day(end)]
  if (!periodEnd) return ['', '']
  const [date, amount] = [day(periodEnd), nextPrice(row, lang)]
  return [t('subscription.renews'), amount === '' ? date : t('subscription.renewsFor', { date, amount })]
}

/** What the Owner can do, or must know. */
function notesOf(kind: SubscriptionEmail, context: EmailContext): string[] {
  const { row, member } = context
  const { t } = wordsOf(member.locale)
  if (isAboutDue(kind)) return notesOfDue(kind, context)
  if (kind === 'trialStarted' && row.cancelAt === null) return [t('subscription.trialThen')]
  if (kind === 'trialRenewing' || kind === 'trialCardExpires') return [t('subscription.trialStop')]
  // Ahead, an end is final.
  if (kind === 'renewalOff' && row.endedAt === null) {
    return [t(canBegin(row) ? 'subscription.notContinued' : 'subscription.resume')]
  }
  if (kind === 'renewSoon' && isConfirmable(row)) return [t('subscription.unconfirmed')]
  return kind === 'endSoon' ? [t('subscription.extend')] : []
}

/** When it is tried again, until when access lasts, and how to pay. */
function notesOfDue(kind: SubscriptionEmail, { row, member, pastDueDays, declinedCard }: EmailContext): string[] {
  const { t, pageText, day } = wordsOf(member.locale)
  const { nextAttemptAt, pastDueSince } = row
  return [
    ...(kind === 'paymentFailed' ? whyDeclined(row, declinedCard, member.locale) : []),
    ...(nextAttemptAt && kind === 'paymentFailed' ? [t('subscription.retry', { date: day(nextAttemptAt) })] : []),
    ...(pastDueSince ? [pageText('due.access', { date: day(daysLater(pastDueSince, pastDueDays)) })] : []),
    ...(kind === 'paymentFailed' ? [wayToPay(row, member.locale)] : []),
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

type Tab = (typeof allTabs)[number]['name']

function linkOf(kind: SubscriptionEmail, { row, member, publicUrl }: EmailContext) {
  const { locale, t, pageText } = wordsOf(member.locale)
  const address = (tab: Tab) => `${publicUrl}${localePath(locale, '/account')}?tab=${tab}`
  if (kind === 'trialEnding' || kind === 'trialCardExpires') {
    return { url: address('payment-option-management'), label: t('subscription.payment') }
  }
  if (kind === 'confirmPayment') return { url: address('my-subscriptions'), label: pageText('due.confirm') }
  const isToConfirm = kind === 'changeUnconfirmed' || kind === 'changeAhead' || kind === 'confirmSoon'
  if (isToConfirm || (kind === 'renewSoon' && isConfirmable(row))) {
    return { url: address('my-subscriptions'), label: pageText('confirmRenewal') }
  }
  const isPayable = kind === 'paymentFailed' && row.dueUrl !== '' && !row.isPriceHidden
  return { url: address('my-subscriptions'), label: isPayable ? pageText('payNow') : t('subscription.open') }
}
