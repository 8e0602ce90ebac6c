import { english, localeByCode } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { subjectLine } from '@atrium/server-kit/email-html.ts'
import { momentFormat } from '@atrium/server-kit/formats.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import type { members } from '../../db/members.tables.ts'
import { type EmailConfig, framedEmail } from '../mail/framed-email.ts'
import type { supportSessions } from './support-sessions.tables.ts'

interface Started {
  member: typeof members.$inferSelect
  session: Pick<typeof supportSessions.$inferSelect, 'agentName' | 'reason' | 'ticket' | 'startedAt' | 'endsAt'>
}

/** To the member, in their language: who of support is signed in to their account, why, until when, and how to end it. */
export function supportStartedEmail(config: EmailConfig, { member, session }: Started): Omit<Email, 'messageId'> {
  const locale = localeByCode(member.locale) ?? english
  const t = serverTexts(locale.folder, 'account-mail')
  const moment = momentFormat(locale.code)
  const { startedAt, endsAt } = session
  // An agent's words on one line each, so that they cannot look like further facts.
  const agent = subjectLine(session.agentName)
  const brand = config.BRAND_NAME
  return framedEmail(config, member, {
    subject: t('support.subject', { brand }),
    paragraphs: [t('support.body', { agent, brand })],
    facts: [
      [t('support.agent'), agent],
      [t('support.reason'), subjectLine(session.reason)],
      [t('support.ticket'), subjectLine(session.ticket)],
      [t('support.since'), moment.format(startedAt)],
      [t('support.until'), moment.format(endsAt)],
    ],
    note: t('support.end'),
    button: { label: t('support.open'), tab: 'security-settings' },
  })
}
