import { brandName } from '@atrium/contract/card-brands.ts'
import { english, type LocaleCode, localeByCode, localePath } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import {
  emailButton,
  emailCode,
  emailFacts,
  emailHtml,
  emailNote,
  emailParagraph,
  subjectLine,
} from '@atrium/server-kit/email-html.ts'
import { dayFormat, formatAmount } from '@atrium/server-kit/formats.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import type { AccountConfig } from '../../config.ts'
import { greetedName, memberName } from '../../db/members.rules.ts'
import type { members } from '../../db/members.tables.ts'
import type { Offer, OfferedSubscription } from './transfers.tables.ts'

type Config = Pick<AccountConfig, 'BRAND_NAME' | 'BRAND_COLOR' | 'PUBLIC_URL'>
type Person = Pick<typeof members.$inferSelect, 'firstName' | 'lastName' | 'email' | 'locale'>
type Written = Pick<Email, 'subject' | 'text' | 'html'>

interface Between {
  sender: Person
  recipient: Person
  offer: Offer
}

interface Coded extends Between {
  codes: { current: string; recipient: string }
  /** The language of the sender's page. */
  lang: LocaleCode
}

/** Both codes, each with what it is for. The recipient's says what is charged, when, and to which card: giving the code accepts it. */
export function codeEmails(config: Config, { sender, recipient, offer, codes, lang }: Coded) {
  const own = writer(config, { ...sender, locale: lang })
  const theirs = writer(config, recipient)
  const names = { from: sender.email, to: recipient.email, name: theirs.nameOf(sender) }
  const isCharged = offer.subscriptions.some(({ charge }) => charge !== undefined)
  return {
    current: own.write({
      subject: own.t('currentCode.subject', names),
      parts: [
        ['paragraph', own.t('currentCode.body', names)],
        ['code', codes.current],
        ['facts', own.names(offer)],
        ['note', own.t('valid')],
        ['note', own.t('currentCode.unknown')],
      ],
    }),
    recipient: theirs.write({
      subject: theirs.t('recipientCode.subject', names),
      parts: [
        ['paragraph', theirs.t('recipientCode.body', names)],
        ['facts', theirs.terms(offer)],
        ['paragraph', theirs.t(isCharged ? 'recipientCode.accept' : 'recipientCode.acceptFree', names)],
        ['code', codes.recipient],
        ['note', theirs.t('valid')],
        ['note', theirs.t('recipientCode.unknown')],
      ],
    }),
  }
}

/** What was transferred, to both. */
export function doneEmails(config: Config, { sender, recipient, offer }: Between) {
  const own = writer(config, sender)
  const theirs = writer(config, recipient)
  const names = { from: sender.email, to: recipient.email, name: theirs.nameOf(sender) }
  const doesEnd = offer.subscriptions.some(({ charge, until }) => charge === undefined && until !== '')
  return {
    sender: own.write({
      subject: own.t('sent.subject', names),
      parts: [
        ['paragraph', own.t('sent.body', names)],
        ['facts', own.names(offer)],
        ['paragraph', own.t('sent.stays')],
        ['note', own.t('sent.unknown')],
      ],
    }),
    recipient: theirs.write({
      subject: theirs.t('received.subject', names),
      parts: [
        ['paragraph', theirs.t('received.body', names)],
        ['facts', theirs.terms(offer)],
        ...(doesEnd ? [['paragraph', theirs.t('received.ends')] as const] : []),
        ['link', ''],
      ],
    }),
  }
}

type Facts = readonly (readonly [name: string, value: string])[]

type Part =
  | readonly [is: 'paragraph' | 'note' | 'code', text: string]
  | readonly [is: 'facts', facts: Facts]
  | readonly [is: 'link', _: '']

/** Writes emails to a person in their language, as text and as HTML with the same words. */
function writer({ BRAND_NAME: brand, BRAND_COLOR: color, PUBLIC_URL: publicUrl }: Config, person: Person) {
  const locale = localeByCode(person.locale) ?? english
  const t = serverTexts(locale.folder, 'transfer-mail')
  const common = serverTexts(locale.folder, 'account-mail')
  /** The words of the page, so that both say the same. */
  const pageText = serverTexts(locale.folder, 'subscriptions')
  const day = (instant: string) => dayFormat(locale.code, 'long').format(new Date(instant))
  const greeted = greetedName(locale.code, person)
  const greeting = greeted === '' ? common('greetingUnnamed') : common('greeting', { name: greeted })
  const link = {
    url: `${publicUrl}${localePath(locale, '/account')}?tab=my-subscriptions`,
    label: common('subscription.open'),
  }

  function fate({ until, charge }: OfferedSubscription, card: Offer['card']): string {
    if (until === '') return t('endless')
    if (!charge || !card) return t('ends', { date: day(until) })
    const number = `${brandName(card.brand) ?? t('card')} ••••\u00a0${card.last4}`
    return t('charge', { date: day(until), amount: formatAmount(locale.code, charge), card: number })
  }

  function sizeOf({ userCount, storageCapacity, connectors }: OfferedSubscription): string {
    const main =
      storageCapacity > 0 ? pageText('storage', { count: storageCapacity }) : t('seats', { count: userCount })
    return connectors > 0 ? `${main} · ${pageText('connectors', { count: connectors })}` : main
  }

  function billedSize(offered: OfferedSubscription): string {
    const { term, charge } = offered
    return charge && term ? `${sizeOf(offered)} · ${pageText(`terms.${term}`)}` : sizeOf(offered)
  }

  function html(part: Part): string {
    if (part[0] === 'facts') return emailFacts(part[1])
    if (part[0] === 'link') return emailButton({ ...link, color })
    const [is, text] = part
    if (is === 'code') return emailCode(text)
    return is === 'note' ? emailNote(text) : emailParagraph(text)
  }

  function text(part: Part): string {
    if (part[0] === 'link') return `${link.label}:\n${link.url}`
    return part[0] === 'facts' ? part[1].map(([name, value]) => `${name}\n${value}`).join('\n\n') : part[1]
  }

  return {
    t,
    /** Another person's own words: on one line, and in no other direction than the sentence. */
    nameOf: (other: Person) => subjectLine(memberName(locale.code, other)) || other.email,
    names: ({ subscriptions }: Offer): Facts => subscriptions.map((one) => [one.productName, sizeOf(one)]),
    /** What becomes of each, for whom it moves to. */
    terms: ({ subscriptions, card }: Offer): Facts =>
      subscriptions.map((one) => [one.productName, `${billedSize(one)}\n${fate(one, card)}`]),
    write({ subject, parts }: { subject: string; parts: readonly Part[] }): Written {
      const signature = common('signature', { brand })
      return {
        subject: subjectLine(subject),
        text: [greeting, ...parts.map(text), signature].join('\n\n'),
        html: emailHtml({
          language: locale.code,
          brandName: brand,
          parts: [emailParagraph(greeting), ...parts.map(html), emailParagraph(signature)],
        }),
      }
    },
  }
}
