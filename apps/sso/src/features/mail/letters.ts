import { english, localeByCode } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { escapeHtml } from '@atrium/server-kit/html.ts'
import type { Letter } from '@atrium/server-kit/mail.ts'
import type { TFunction } from 'i18next'

export type LetterName = 'confirmEmail' | 'accountExists' | 'resetPassword' | 'passwordCode' | 'passwordChanged'

/** What only the reader may know. */
export interface LetterSecrets {
  /** Where the letter's button leads. */
  url?: string
  /** Six digits. */
  code?: string
}

interface Draft extends LetterSecrets {
  letter: LetterName
  to: string
  /** First name, or empty. */
  name: string
  /** `de-de` */
  locale: string
  messageId: string
  brandName: string
  /** `#rrggbb` */
  brandColor: string
}

/** Writes a letter in the reader's language, as plain text and as simple HTML with the same words. */
export function writeLetter(draft: Draft): Letter {
  const locale = localeByCode(draft.locale) ?? english
  const t = serverTexts(locale.folder, 'sso-mail')
  const values = { brand: draft.brandName, code: draft.code ?? '', name: draft.name }
  const text = (part: string) => t(`${draft.letter}.${part}`, values)
  const greeting = draft.name === '' ? t('greetingUnnamed') : t('greeting', values)
  const words = { greeting, body: text('body'), note: text('note'), signature: t('signature', values) }

  return {
    to: draft.to,
    // A name or brand with a line break must not start a header of its own.
    subject: text('subject').replace(/[\r\n]+/g, ' '),
    text: [words.greeting, words.body, draft.code ?? draft.url, words.note, words.signature]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    html: html({ ...words, draft, language: locale.code, t, button: draft.url ? text('button') : '' }),
    messageId: draft.messageId,
  }
}

interface Html {
  greeting: string
  body: string
  note: string
  signature: string
  button: string
  language: string
  draft: Draft
  t: TFunction
}

function html({ greeting, body, note, signature, button, language, draft, t }: Html): string {
  const paragraph = (text: string, style = '') => `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`
  const muted = 'color:#6b665b;font-size:13px;'
  const link = draft.url
    ? `<p style="margin:24px 0"><a href="${escapeHtml(draft.url)}" style="background:${escapeHtml(draft.brandColor)};color:#fff;text-decoration:none;padding:12px 20px;border-radius:8px;display:inline-block">${escapeHtml(button)}</a></p>`
    : ''
  const address = draft.url
    ? `${paragraph(t('linkHint'), muted)}<p style="margin:0 0 16px;word-break:break-all;${muted}">${escapeHtml(draft.url)}</p>`
    : ''
  const code = draft.code
    ? `<p style="margin:24px 0;font:600 28px ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${escapeHtml(draft.code)}</p>`
    : ''

  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><body style="margin:0;background:#faf9f7;padding:24px">
<div style="max-width:520px;margin:0 auto;background:#fff;border:1px solid #e7e4dd;border-radius:12px;padding:32px;font:15px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#1d1b18">
<p style="margin:0 0 24px;font-weight:650;font-size:17px">${escapeHtml(draft.brandName)}</p>
${paragraph(greeting)}${paragraph(body)}${code}${link}${paragraph(note, muted)}${address}${paragraph(signature)}
</div></body></html>`
}
