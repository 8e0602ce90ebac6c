import { english, localeByCode } from '@atrium/contract/locale.ts'
import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import {
  emailAddress,
  emailButton,
  emailCode,
  emailHtml,
  emailNote,
  emailParagraph,
  subjectLine,
} from '@atrium/server-kit/email-html.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import type { TFunction } from 'i18next'
import type { WayIn } from './way-in.rules.ts'

export type EmailName =
  | 'confirmEmail'
  | 'accountExists'
  | 'resetPassword'
  | 'passwordCode'
  | 'passwordChanged'
  | 'linkCode'
  | 'signInCode'
  | 'providerCode'
  | 'providerLinked'
  | 'providerUnlinked'

/** Values that only the recipient may know. */
export interface EmailSecrets {
  /** Link of the email's button. */
  url?: string
  /** Six digits. */
  code?: string
}

interface Draft extends EmailSecrets {
  kind: EmailName
  to: string
  /** First name, or empty. */
  name: string
  /** `de-de` */
  locale: string
  messageId: string
  /** The login provider that it is about. */
  provider?: ProviderName
  /** Ways to sign in that its sentence `ways` names; without any, it has none. */
  ways?: readonly WayIn[]
  brandName: string
  /** `#rrggbb` */
  brandColor: string
}

/** Writes an email in the recipient's language, as plain text and as HTML with the same words. */
export function writeEmail(draft: Draft): Email {
  const locale = localeByCode(draft.locale) ?? english
  const t = serverTexts(locale.folder, 'sso-mail')
  const nameOf = (way: WayIn) =>
    way === 'password'
      ? serverTexts(locale.folder, 'sso')('field.password')
      : serverTexts(locale.folder, 'common')(`providers.${way}`)
  const provider = draft.provider ? nameOf(draft.provider) : ''
  const values = { brand: draft.brandName, code: draft.code ?? '', name: draft.name, provider }
  const text = (part: string) => t(`${draft.kind}.${part}`, values)
  const greeting = draft.name === '' ? t('greetingUnnamed') : t('greeting', values)
  const ways = new Intl.ListFormat(locale.code).format((draft.ways ?? []).map(nameOf))
  const named = ways === '' ? [] : [t(`${draft.kind}.ways`, { ways })]
  const words = { greeting, body: [text('body'), ...named], note: text('note'), signature: t('signature', values) }

  return {
    to: draft.to,
    subject: subjectLine(text('subject')),
    text: [words.greeting, ...words.body, draft.code ?? draft.url, words.note, words.signature]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    html: html({ ...words, draft, language: locale.code, t, button: draft.url ? text('button') : '' }),
    messageId: draft.messageId,
  }
}

interface Html {
  greeting: string
  /** Its paragraphs. */
  body: readonly string[]
  note: string
  signature: string
  button: string
  language: string
  draft: Draft
  t: TFunction
}

function html({ greeting, body, note, signature, button, language, draft, t }: Html): string {
  const { url, code, brandName, brandColor } = draft
  return emailHtml({
    language,
    brandName,
    parts: [
      emailParagraph(greeting),
      ...body.map(emailParagraph),
      ...(code ? [emailCode(code)] : []),
      ...(url ? [emailButton({ url, label: button, color: brandColor })] : []),
      emailNote(note),
      ...(url ? [emailNote(t('linkHint')), emailAddress(url)] : []),
      emailParagraph(signature),
    ],
  })
}
