import { type LocaleCode, localePath } from '@atrium/contract/locale.ts'
import type { AccountTab } from '@atrium/contract/tabs.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import {
  emailButton,
  emailFacts,
  emailHtml,
  emailNote,
  emailParagraph,
  subjectLine,
} from '@atrium/server-kit/email-html.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import { greetedName } from '../../db/members.rules.ts'
import type { members } from '../../db/members.tables.ts'
import { type DueFacts, factsOfDue, notesOfDue } from './due-notes.ts'
import { emailFormats } from './email-formats.ts'
import { canBegin, isContinuable } from './moving/moving.rules.ts'
import { renewalOf } from './next-plan.rules.ts'
import { lackOfPayer, payerFact, payerNote } from './payer-notes.ts'
import { confirmedNote, type NamedPlan, otherwiseNote, type WaitingPlans } from './plan-ahead-notes.ts'
import { aboutEnds, dateOf, type SubscriptionEmail, trialEmails } from './subscription-emails.rules.ts'
import { hasEndedUnpaid, isConfirmable, isPrepaid } from './subscription-flags.rules.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

export interface EmailContext extends DueFacts {
  productName: string
  member: Pick<typeof members.$inferSelect, 'firstName' | 'lastName' | 'locale'>
  brandName: string
  brandColor: string
  publicUrl: string
  /** What renews unless a change is confirmed; undefined: what the row says. */
  renewing?: NamedPlan | undefined
  /** What waits for its confirmation at PayPal, for emails about that; undefined: what the row says, or nothing. */
  waiting?: WaitingPlans | undefined
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
  const lead = [name === '' ? t('greetingUnnamed') : t('greeting', { name }), bodyOf(kind, context, values)]
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

function bodyOf(
  kind: SubscriptionEmail,
  { row, member, waiting }: EmailContext,
  values: Record<string, string>,
): string {
  const { t } = wordsOf(member.locale)
  if (isUnpaidEnd(kind, row)) return t('subscription.endedUnpaid', values)
  if (kind === 'changeAhead' && waiting?.otherwise) return t('subscription.changeAhead', values)
  return t(`subscription.emails.${kind}.body`, values)
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
  }
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
  'oldPlanRenewed',
  'confirmSoon',
  'changeAhead',
]

/** Emails about a charge ahead: they name the card that pays. */
const namesPayer: readonly SubscriptionEmail[] = ['trialRenewing', 'renewSoon']

function factsOf(kind: SubscriptionEmail, context: EmailContext): Facts {
  const { member, renewing, ...stored } = context
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
    ...(isAboutDue(kind) ? factsOfDue(context, member.locale) : []),
    ...(namesPayer.includes(kind) && !row.isPriceHidden
      ? payerFact(context.payer, dateOf(kind, row) ?? context.now, member.locale)
      : []),
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
  const { row, member, waiting } = context
  const { t, pageText } = wordsOf(member.locale)
  if (isAboutDue(kind)) return notesOfDue(context, { hasFailed: kind === 'paymentFailed', lang: member.locale })
  if (kind === 'trialStarted' && row.cancelAt === null) return [t('subscription.trialThen')]
  if (kind === 'trialRenewing' || kind === 'trialCardExpires') return [t('subscription.trialStop')]
  if ((kind === 'renewalOff' || kind === 'endSoon') && row.isOtherCurrency) {
    return [pageText('endsForCurrency', { currency: row.currency ?? '' })]
  }
  // Ahead, an end is final.
  if (kind === 'renewalOff' && row.endedAt === null) {
    return [t(canBegin(row) ? 'subscription.notContinued' : 'subscription.resume')]
  }
  if (kind === 'renewSoon' && !row.isPriceHidden && !isConfirmable(row)) {
    return payerNote(context.payer, dateOf(kind, row) ?? context.now, member.locale)
  }
  if (waiting) {
    const begins = kind === 'changeUnconfirmed' ? confirmedNote(waiting, row, member.locale) : []
    return [...begins, ...otherwiseNote(waiting, row, member.locale)]
  }
  if (kind === 'renewSoon' && isConfirmable(row)) return [t('subscription.unconfirmed')]
  return kind === 'endSoon' ? [t('subscription.extend')] : []
}

/** Whether it leads to the cards on file, since nothing there would pay. Of a declined card, the payment page takes another one. */
function isPayerLacking(kind: SubscriptionEmail, { row, payer, now }: EmailContext): boolean {
  if (row.isPriceHidden) return false
  if (kind === 'renewSoon') return lackOfPayer(payer, dateOf(kind, row) ?? now) !== undefined
  return kind === 'paymentFailed' && payer?.is === 'none'
}

function linkOf(kind: SubscriptionEmail, context: EmailContext) {
  const { row, member, publicUrl } = context
  const { locale, t, pageText } = wordsOf(member.locale)
  const address = (tab: AccountTab['name']) => `${publicUrl}${localePath(locale, '/account')}?tab=${tab}`
  // My Products has the button for what can be renewed, requested or bought again.
  if (aboutEnds.includes(kind) && !isContinuable(row)) {
    return {
      url: address('my-products') + (row.origin === 'offline' ? '&list=offline' : ''),
      label: t('subscription.openProducts'),
    }
  }
  if (kind === 'trialEnding' || kind === 'trialCardExpires' || isPayerLacking(kind, context)) {
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
