import { english, type LocaleCode, localeByCode, localePath } from '@atrium/contract/locale.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import {
  emailButton,
  emailHtml,
  emailNote,
  emailParagraph,
  subjectLine,
  typedText,
} from '@atrium/server-kit/email-html.ts'
import { formatDay } from '@atrium/server-kit/formats.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import { memberName } from '../../../db/members.rules.ts'
import { invitationEnd } from '../../subscriptions/seats.rules.ts'
import type { SeatRow } from '../team.queries.ts'

interface Invitation {
  lang: LocaleCode
  inviter: { firstName: string; lastName: string; email: string }
  appName: string
  seat: Pick<SeatRow, 'type' | 'email' | 'invitedAt'>
  /** Of the link; nowhere else. */
  token: string
  brandName: string
  brandColor: string
  publicUrl: string
}

/** Who invites to what, until when, and the link that accepts it. */
export function invitationEmail(invitation: Invitation): Pick<Email, 'subject' | 'text' | 'html'> {
  const { lang, inviter, appName: product, seat, token, brandName, brandColor, publicUrl } = invitation
  const locale = localeByCode(lang) ?? english
  const t = serverTexts(locale.folder, 'team-mail')
  const common = serverTexts(locale.folder, 'account-mail')
  const { email } = seat
  const name = typedText(memberName(locale.code, inviter)) || inviter.email
  const date = formatDay(locale.code, invitationEnd(seat.invitedAt))
  const values = { name, product, date, email, inviter: inviter.email }
  const kind = seat.type === seatTypes.setupAdmin ? 'setupAdmin' : 'member'
  const url = `${publicUrl}${localePath(locale, '/account')}?invitation=${token}`
  const label = t('invitation.open')
  const lead = [common('greetingUnnamed'), t(`invitation.${kind}`, values), t('invitation.account', values)]
  const notes = [t('invitation.until', values), t('invitation.unknown', values)]
  const signature = common('signature', { brand: brandName })

  return {
    subject: subjectLine(t('invitation.subject', values)),
    text: [...lead, `${label}:\n${url}`, ...notes, signature].join('\n\n'),
    html: emailHtml({
      language: locale.code,
      brandName,
      parts: [
        ...lead.map(emailParagraph),
        emailButton({ url, label, color: brandColor }),
        ...notes.map(emailNote),
        emailParagraph(signature),
      ],
    }),
  }
}
