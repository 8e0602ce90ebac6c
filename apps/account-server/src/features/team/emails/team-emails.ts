import { english, type LocaleCode, localeByCode, localePath } from '@atrium/contract/locale.ts'
import { type SeatType, seatTypes } from '@atrium/contract/seat-types.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import {
  emailButton,
  emailHtml,
  emailNote,
  emailParagraph,
  subjectLine,
  typedText,
} from '@atrium/server-kit/email-html.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import { greetedName, memberName } from '../../../db/members.rules.ts'
import { managesTeam } from '../../subscriptions/seats.rules.ts'
import type { SeatRow } from '../team.queries.ts'

export interface Person {
  firstName: string
  lastName: string
  email: string
}

interface Frame {
  /** The language of who gets it. */
  lang: LocaleCode
  /** Who gets it. */
  receiver: Pick<Person, 'firstName' | 'lastName'>
  brandName: string
  brandColor: string
  publicUrl: string
}

export interface Changed extends Frame {
  appName: string
  /** Who did it. */
  actor: Person
  /** As it was before. */
  seat: Pick<SeatRow, 'type' | 'isUse' | 'subscriptionId'>
}

type Written = Pick<Email, 'subject' | 'text' | 'html'>

/** To a person whose role somebody else changed: who, from what to what, and what it means. */
export function roleChangedEmail({ appName, actor, seat, ...frame }: Changed, type: SeatType): Written {
  const { t, roles, nameOf } = wordsOf(frame.lang)
  const names = { from: roles(nameOfRole[seat.type]), to: roles(nameOfRole[type]) }
  const values = { product: appName, name: nameOf(actor), changer: actor.email, ...names }
  const isManager = type === seatTypes.setupAdmin
  return written(frame, {
    subject: t('roleChanged.subject', values),
    lead: [t('roleChanged.body', values), t(meaningOf(seat, type), values)],
    notes: [],
    button: isManager
      ? { label: t('manageUsers'), query: usersOf(seat) }
      : { label: t('openProducts'), query: 'tab=my-products' },
  })
}

/** To a person whom somebody else removed from a subscription: who, and what stops. */
export function removedEmail({ appName, actor, seat, ...frame }: Changed): Written {
  const { t, nameOf } = wordsOf(frame.lang)
  const values = { product: appName, name: nameOf(actor), changer: actor.email }
  return written(frame, {
    subject: t('removed.subject', values),
    lead: [t('removed.body', values), ...lossesOf(frame, { appName, seat })],
    notes: [t('removed.mistake', values)],
  })
}

/** To a person whose seat ended with an Owner who never was one: what stops. */
export function endedSeatEmail({ appName, seat, ...frame }: Omit<Changed, 'actor'>): Written {
  const { t } = wordsOf(frame.lang)
  const values = { product: appName }
  return written(frame, {
    subject: t('removed.subject', values),
    lead: [t('removed.otherOwner', values), ...lossesOf(frame, { appName, seat })],
    notes: [t('removed.askInviter')],
  })
}

function lossesOf({ lang }: Frame, { appName: product, seat }: Pick<Changed, 'appName' | 'seat'>): string[] {
  const { t } = wordsOf(lang)
  return [
    ...(seat.isUse ? [t('removed.user', { product })] : []),
    ...(managesTeam(seat.type) ? [t('removed.manager', { product })] : []),
  ]
}

interface Accepted extends Frame {
  appName: string
  seat: Pick<SeatRow, 'type' | 'email' | 'subscriptionId'>
}

/** To the inviter, once the invited person has accepted. */
export function acceptedEmail({ appName, seat, ...frame }: Accepted): Written {
  const { t, roles } = wordsOf(frame.lang)
  const values = { product: appName, email: seat.email, role: roles(nameOfRole[seat.type]) }
  return written(frame, {
    subject: t('accepted.subject', values),
    lead: [t('accepted.body', values)],
    notes: [],
    button: { label: t('manageUsers'), query: usersOf(seat) },
  })
}

const nameOfRole = {
  [seatTypes.member]: 'names.member',
  [seatTypes.admin]: 'names.admin',
  [seatTypes.owner]: 'names.owner',
  [seatTypes.setupAdmin]: 'names.setupAdmin',
} as const satisfies Record<SeatType, string>

/** An Admin keeps the license they hold, or none; a Member without one loses none. */
function meaningOf({ type, isUse }: Changed['seat'], after: SeatType): string {
  if (after === seatTypes.setupAdmin)
    return isUse ? 'roleChanged.toSetupAdmin' : 'roleChanged.toSetupAdminWithoutLicense'
  if (type !== seatTypes.admin) return 'roleChanged.toMember'
  return isUse ? 'roleChanged.adminToMember' : 'removed.manager'
}

function usersOf({ subscriptionId }: Pick<SeatRow, 'subscriptionId'>): string {
  return `tab=license-management&subId=${encodeURIComponent(subscriptionId)}`
}

function wordsOf(lang: LocaleCode) {
  const locale = localeByCode(lang) ?? english
  return {
    locale,
    t: serverTexts(locale.folder, 'team-mail'),
    roles: serverTexts(locale.folder, 'roles'),
    common: serverTexts(locale.folder, 'account-mail'),
    nameOf: (person: Person) => typedText(memberName(locale.code, person)) || person.email,
  }
}

interface Content {
  subject: string
  lead: readonly string[]
  notes: readonly string[]
  /** Of the account page. */
  button?: { label: string; query: string }
}

function written({ lang, receiver, ...frame }: Frame, { subject, lead, notes, button }: Content): Written {
  const { locale, common } = wordsOf(lang)
  const { brandName, brandColor, publicUrl } = frame
  const name = subjectLine(greetedName(locale.code, receiver))
  const paragraphs = [name === '' ? common('greetingUnnamed') : common('greeting', { name }), ...lead]
  const signature = common('signature', { brand: brandName })
  const url = button && `${publicUrl}${localePath(locale, '/account')}?${button.query}`
  const link = button && url ? [`${button.label}:\n${url}`] : []
  return {
    subject: subjectLine(subject),
    text: [...paragraphs, ...notes, ...link, signature].join('\n\n'),
    html: emailHtml({
      language: locale.code,
      brandName,
      parts: [
        ...paragraphs.map(emailParagraph),
        ...notes.map(emailNote),
        ...(button && url ? [emailButton({ url, label: button.label, color: brandColor })] : []),
        emailParagraph(signature),
      ],
    }),
  }
}
