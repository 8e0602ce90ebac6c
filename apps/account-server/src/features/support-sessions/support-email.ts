import { english, type LocaleCode, localeByCode, localePath } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import {
  emailButton,
  emailFacts,
  emailHtml,
  emailNote,
  emailParagraph,
  subjectLine,
} from '@atrium/server-kit/email-html.ts'
import { momentFormat } from '@atrium/server-kit/formats.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import type { AccountConfig } from '../../config.ts'
import { greetedName } from '../../db/members.rules.ts'
import type { members } from '../../db/members.tables.ts'
import type { supportSessions } from './support-sessions.tables.ts'

type Config = Pick<AccountConfig, 'BRAND_NAME' | 'BRAND_COLOR' | 'PUBLIC_URL'>

interface Started {
  member: typeof members.$inferSelect
  session: Pick<typeof supportSessions.$inferSelect, 'agentName' | 'reason' | 'ticket' | 'startedAt' | 'endsAt'>
}

/** To the member, in their language: who of support is signed in to their account, why, until when, and how to end it. */
export function supportStartedEmail(config: Config, { member, session }: Started): Omit<Email, 'messageId'> {
  const locale = localeByCode(member.locale) ?? english
  const t = serverTexts(locale.folder, 'account-mail')
  const { startedAt, endsAt } = session
  // An agent's words on one line each, so that they cannot look like further facts.
  const agent = subjectLine(session.agentName)
  const brand = config.BRAND_NAME
  const name = greetedName(locale.code, member)
  const greeting = name === '' ? t('greetingUnnamed') : t('greeting', { name })
  const facts = [
    [t('support.agent'), agent],
    [t('support.reason'), subjectLine(session.reason)],
    [t('support.ticket'), subjectLine(session.ticket)],
    [t('support.since'), moment(locale.code, startedAt)],
    [t('support.until'), moment(locale.code, endsAt)],
  ] as const
  const body = t('support.body', { agent, brand })
  const end = t('support.end')
  const signature = t('signature', { brand })
  const button = {
    label: t('support.open'),
    url: `${config.PUBLIC_URL}${localePath(locale, '/account')}?tab=security-settings`,
  }
  const list = facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  return {
    to: member.email,
    subject: subjectLine(t('support.subject', { brand })),
    text: [greeting, body, list, end, `${button.label}:\n${button.url}`, signature].join('\n\n'),
    html: emailHtml({
      language: locale.code,
      brandName: brand,
      parts: [
        emailParagraph(greeting),
        emailParagraph(body),
        emailFacts(facts),
        emailNote(end),
        emailButton({ ...button, color: config.BRAND_COLOR }),
        emailParagraph(signature),
      ],
    }),
  }
}

function moment(lang: LocaleCode, date: Date): string {
  return momentFormat(lang).format(date)
}
