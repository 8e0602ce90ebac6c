import { english, localeByCode } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { momentFormat } from '@atrium/server-kit/formats.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import type { members } from '../../db/members.tables.ts'
import { type EmailConfig, framedEmail } from '../mail/framed-email.ts'

interface Ready {
  member: typeof members.$inferSelect
  expiresAt: Date
}

/** To the member, in their language: the copy of their data can be downloaded. Says what to do if somebody else requested it. */
export function dataReadyEmail(config: EmailConfig, { member, expiresAt }: Ready): Omit<Email, 'messageId'> {
  const locale = localeByCode(member.locale) ?? english
  const t = serverTexts(locale.folder, 'account-mail')
  return framedEmail(config, member, {
    subject: t('dataExport.subject', { brand: config.BRAND_NAME }),
    paragraphs: [t('dataExport.body', { date: momentFormat(locale.code).format(expiresAt) })],
    note: t('dataExport.note'),
    button: { label: t('dataExport.open'), tab: 'security-settings' },
  })
}
