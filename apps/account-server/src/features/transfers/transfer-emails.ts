import { type LocaleCode, localePath } from '@atrium/contract/locale.ts'
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
import type { Email } from '@atrium/server-kit/mail.ts'
import type { AccountConfig } from '../../config.ts'
import { greetedName } from '../../db/members.rules.ts'
import { type Facts, type Person, transferWords } from './transfer-words.ts'
import { awaitsCard, fateOf } from './transfers.rules.ts'
import type { Offer } from './transfers.tables.ts'

type Config = Pick<AccountConfig, 'BRAND_NAME' | 'BRAND_COLOR' | 'PUBLIC_URL'>
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
  return {
    current: own.write({
      subject: own.t('currentCode.subject', names),
      parts: [
        ['paragraph', own.t('currentCode.body', names)],
        ['code', codes.current],
        ['facts', own.expected(offer)],
        ['paragraph', own.pageText('rule')],
        ['note', own.t('valid')],
        ['note', own.t('currentCode.unknown')],
      ],
    }),
    recipient: theirs.write({
      subject: theirs.t('recipientCode.subject', names),
      parts: [
        ['paragraph', theirs.t('recipientCode.body', names)],
        ['facts', theirs.terms(offer, { isOpen: true })],
        ...(awaitsCard(offer)
          ? ([
              ['paragraph', theirs.t('recipientCode.noCard', names)],
              ['link', 'payment-option-management'],
            ] as const)
          : []),
        ['paragraph', theirs.t(`recipientCode.${acceptanceOf(offer)}`, names)],
        ['code', codes.recipient],
        ['note', theirs.t('valid')],
        ['note', theirs.t('recipientCode.unknown')],
      ],
    }),
  }
}

/** What the recipient accepts by giving their code. */
function acceptanceOf(offer: Offer): 'accept' | 'acceptCard' | 'acceptFree' {
  if (awaitsCard(offer)) return 'acceptCard'
  return offer.subscriptions.some(({ charge }) => charge !== undefined) ? 'accept' : 'acceptFree'
}

interface Done extends Between {
  /** Whether a license key is good for something of it: the Owner before knows it. */
  hasKeys: boolean
}

/** What was transferred, and what becomes of it, to both. */
export function doneEmails(config: Config, { sender, recipient, offer, hasKeys }: Done) {
  const own = writer(config, sender)
  const theirs = writer(config, recipient)
  const names = { from: sender.email, to: recipient.email, name: theirs.nameOf(sender) }
  const fates = new Set(offer.subscriptions.map(fateOf))
  const keep = offer.card ? 'received.keepWithCard' : 'received.keep'
  return {
    sender: own.write({
      subject: own.t('sent.subject', names),
      parts: [
        ['paragraph', own.t('sent.body', names)],
        ['facts', own.fates(offer)],
        ['paragraph', own.t('sent.stays')],
        ['note', own.t('sent.unknown')],
      ],
    }),
    recipient: theirs.write({
      subject: theirs.t('received.subject', names),
      parts: [
        ['paragraph', theirs.t('received.body', names)],
        ['facts', theirs.terms(offer, { isOpen: false })],
        ...(fates.has('ends_unless_resumed') ? [['paragraph', theirs.t(keep)] as const] : []),
        ...(fates.has('ends_unless_resumed') && !offer.card ? [['link', 'payment-option-management'] as const] : []),
        ...(fates.has('ends') || fates.has('other_currency')
          ? [['paragraph', theirs.t('received.ends')] as const]
          : []),
        ...(hasKeys ? ([['paragraph', theirs.t('received.keys', names)]] as const) : []),
        ['link', 'my-subscriptions'],
      ],
    }),
  }
}

interface OwnerChanged {
  person: Person
  /** The new one. */
  owner: Person
  /** Names. */
  products: readonly string[]
  /** Whether the person uses what was transferred, is only a user of it, or is invited as one. */
  standing: 'licensed' | 'unlicensed' | 'invited'
}

/** To a person with a seat in what was transferred: who is the Owner now, and that nothing changes for them. The invited keep their link. */
export function ownerChangedEmail(config: Config, { person, owner, products, standing }: OwnerChanged): Written {
  const { t, nameOf, locale, write } = writer(config, person)
  const named = new Intl.ListFormat(locale.code, { type: 'conjunction' }).format(products.map(subjectLine))
  const values = { name: nameOf(owner), email: owner.email, products: named }
  return write({
    subject: t('ownerChanged.subject', values),
    parts: [
      ['paragraph', t('ownerChanged.body', values)],
      ['paragraph', t(`ownerChanged.${standing}`)],
      ...(standing === 'invited' ? [] : [['paragraph', t('ownerChanged.contact', values)] as const]),
      ...(standing === 'licensed' ? [['link', 'my-products'] as const] : []),
      ...(standing === 'unlicensed' ? [['link', 'my-subscriptions'] as const] : []),
    ],
  })
}

type Part =
  | readonly [is: 'paragraph' | 'note' | 'code', text: string]
  | readonly [is: 'facts', facts: Facts]
  | readonly [is: 'link', tab: keyof typeof labels]

/** The tabs to which an email leads, and the words of their buttons. */
const labels = {
  'my-subscriptions': 'subscription.open',
  'my-products': 'subscription.openProducts',
  'payment-option-management': 'subscription.payment',
} as const

/** Writes emails to a person in their language, as text and as HTML with the same words. */
function writer({ BRAND_NAME: brand, BRAND_COLOR: color, PUBLIC_URL: publicUrl }: Config, person: Person) {
  const words = transferWords(person)
  const { locale } = words
  const t = serverTexts(locale.folder, 'transfer-mail')
  const common = serverTexts(locale.folder, 'account-mail')
  const greeted = greetedName(locale.code, person)
  const greeting = greeted === '' ? common('greetingUnnamed') : common('greeting', { name: greeted })
  const linkTo = (tab: keyof typeof labels) => ({
    url: `${publicUrl}${localePath(locale, '/account')}?tab=${tab}`,
    label: common(labels[tab]),
  })

  function html(part: Part): string {
    if (part[0] === 'facts') return emailFacts(part[1])
    if (part[0] === 'link') return emailButton({ ...linkTo(part[1]), color })
    const [is, text] = part
    if (is === 'code') return emailCode(text)
    return is === 'note' ? emailNote(text) : emailParagraph(text)
  }

  function text(part: Part): string {
    if (part[0] === 'link') {
      const { label, url } = linkTo(part[1])
      return `${label}:\n${url}`
    }
    return part[0] === 'facts' ? part[1].map(([name, value]) => `${name}\n${value}`).join('\n\n') : part[1]
  }

  return {
    t,
    /** The words of the page, so that both say the same. */
    pageText: serverTexts(locale.folder, 'transfers'),
    ...words,
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
