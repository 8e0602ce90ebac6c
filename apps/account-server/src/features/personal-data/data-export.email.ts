import { english, localeByCode, localePath } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { emailButton, emailHtml, emailNote, emailParagraph, subjectLine } from '@atrium/server-kit/email-html.ts'
import { momentFormat } from '@atrium/server-kit/formats.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import type { AccountConfig } from '../../config.ts'
import { greetedName } from '../../db/members.rules.ts'
import type { members } from '../../db/members.tables.ts'

type Config = Pick<AccountConfig, 'BRAND_NAME' | 'BRAND_COLOR' | 'PUBLIC_URL'>

interface Ready {
  member: typeof members.$inferSelect
  expiresAt: Date
}

/** To the member, in their language: the copy of their data can be downloaded. Says what to do if somebody else requested it. */
export function dataReadyEmail(config: Config, { member, expiresAt }: Ready): Omit<Email, 'messageId'> {
  const locale = localeByCode(member.locale) ?? english
  const t = serverTexts(locale.folder, 'account-mail')
  const brand = config.BRAND_NAME
  const name = greetedName(locale.code, member)
  const greeting = name === '' ? t('greetingUnnamed') : t('greeting', { name })
  const body = t('dataExport.body', { date: momentFormat(locale.code).format(expiresAt) })
  const note = t('dataExport.note')
  const signature = t('signature', { brand })
  const button = {
    label: t('dataExport.open'),
    url: `${config.PUBLIC_URL}${localePath(locale, '/account')}?tab=security-settings`,
  }
  return {
    to: member.email,
    subject: subjectLine(t('dataExport.subject', { brand })),
    text: [greeting, body, `${button.label}:\n${button.url}`, note, signature].join('\n\n'),
    html: emailHtml({
      language: locale.code,
      brandName: brand,
      parts: [
        emailParagraph(greeting),
        emailParagraph(body),
        emailButton({ ...button, color: config.BRAND_COLOR }),
        emailNote(note),
        emailParagraph(signature),
      ],
    }),
  }
}
