import { english, localeByCode, localePath } from '@atrium/contract/locale.ts'
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
import type { AccountConfig } from '../../config.ts'
import { greetedName } from '../../db/members.rules.ts'
import type { members } from '../../db/members.tables.ts'

export type EmailConfig = Pick<AccountConfig, 'BRAND_NAME' | 'BRAND_COLOR' | 'PUBLIC_URL'>

/** In the member's language. */
interface Content {
  subject: string
  /** Below the greeting. */
  paragraphs: readonly string[]
  /** Names and values. */
  facts?: readonly (readonly [name: string, value: string])[]
  /** In small type, above the button. */
  note?: string
  /** Leads to a tab of the account page. */
  button: { label: string; tab: AccountTab['name'] }
}

/** An email to a member with the usual frame, from the greeting to the signature: as text, and as HTML with the same words. */
export function framedEmail(
  { BRAND_NAME: brand, BRAND_COLOR: color, PUBLIC_URL: publicUrl }: EmailConfig,
  member: typeof members.$inferSelect,
  { subject, paragraphs, facts = [], note, button: { label, tab } }: Content,
): Omit<Email, 'messageId'> {
  const locale = localeByCode(member.locale) ?? english
  const t = serverTexts(locale.folder, 'account-mail')
  const name = greetedName(locale.code, member)
  const lead = [name === '' ? t('greetingUnnamed') : t('greeting', { name }), ...paragraphs]
  const list = facts.length === 0 ? [] : [facts.map(([title, value]) => `${title}: ${value}`).join('\n')]
  const notes = note === undefined ? [] : [note]
  const url = `${publicUrl}${localePath(locale, '/account')}?tab=${tab}`
  const signature = t('signature', { brand })
  return {
    to: member.email,
    subject: subjectLine(subject),
    text: [...lead, ...list, ...notes, `${label}:\n${url}`, signature].join('\n\n'),
    html: emailHtml({
      language: locale.code,
      brandName: brand,
      parts: [
        ...lead.map(emailParagraph),
        ...(facts.length === 0 ? [] : [emailFacts(facts)]),
        ...notes.map(emailNote),
        emailButton({ url, label, color }),
        emailParagraph(signature),
      ],
    }),
  }
}
