import { textOn } from '@atrium/contract/contrast.ts'
import { plainLine } from '@atrium/contract/text.ts'
import { escapeHtml } from './html.ts'

const muted = 'color:#6b665b;font-size:13px;'

interface EmailPage {
  /** BCP 47. */
  language: string
  brandName: string
  /** HTML from the functions of this file, which escape what they are given. */
  parts: readonly string[]
}

/** The frame of every email: simple HTML that old mail programs show, too. */
export function emailHtml({ language, brandName, parts }: EmailPage): string {
  return `<!doctype html><html lang="${escapeHtml(language)}"><meta charset="utf-8"><body style="margin:0;background:#faf9f7;padding:24px">
<div style="max-width:520px;margin:0 auto;background:#fff;border:1px solid #e7e4dd;border-radius:12px;padding:32px;font:15px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#1d1b18">
<p style="margin:0 0 24px;font-weight:650;font-size:17px">${escapeHtml(brandName)}</p>
${parts.join('')}
</div></body></html>`
}

export function emailParagraph(text: string): string {
  return paragraph(text, '')
}

/** Smaller and paler. */
export function emailNote(text: string): string {
  return paragraph(text, muted)
}

/** An address to copy, which may break anywhere. */
export function emailAddress(url: string): string {
  return paragraph(url, `word-break:break-all;${muted}`)
}

/** @param color `#rrggbb` */
export function emailButton({ url, label, color }: { url: string; label: string; color: string }): string {
  return `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="background:${escapeHtml(color)};color:${textOn(color)};text-decoration:none;padding:12px 20px;border-radius:8px;display:inline-block">${escapeHtml(label)}</a></p>`
}

/** Digits to type in. */
export function emailCode(code: string): string {
  return `<p style="margin:24px 0;font:600 28px ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${escapeHtml(code)}</p>`
}

/** A table of names and values; preserves line breaks in a value. */
export function emailFacts(facts: readonly (readonly [name: string, value: string])[]): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th scope="row" style="text-align:start;vertical-align:top;font-weight:400;padding:8px 16px 8px 0;white-space:nowrap;${muted}">${escapeHtml(name)}</th>` +
      `<td style="vertical-align:top;padding:8px 0;white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  )
  return `<table style="width:100%;margin:8px 0 24px;border-collapse:collapse;border-top:1px solid #e7e4dd;border-bottom:1px solid #e7e4dd">${rows.join('')}</table>`
}

interface AmountRow {
  text: string
  /** As it is shown. */
  amount: string
  isTotal?: boolean
}

/** What was bought and what it cost: long texts wrap, amounts do not. */
export function emailAmounts(amounts: readonly AmountRow[]): string {
  const rows = amounts.map(({ text, amount, isTotal = false }) => {
    const style = isTotal ? 'font-weight:650;border-top:1px solid #e7e4dd;' : ''
    return (
      `<tr><th scope="row" style="text-align:start;vertical-align:top;font-weight:400;padding:8px 16px 8px 0;overflow-wrap:anywhere;${style}">${escapeHtml(text)}</th>` +
      `<td style="vertical-align:top;padding:8px 0;text-align:end;white-space:nowrap;${style}">${escapeHtml(amount)}</td></tr>`
    )
  })
  return `<table style="width:100%;margin:8px 0 24px;border-collapse:collapse;border-top:1px solid #e7e4dd;border-bottom:1px solid #e7e4dd">${rows.join('')}</table>`
}

/** Reduces a text to one line, so that a name in a subject cannot start a header. */
export function subjectLine(text: string): string {
  return plainLine(text)
}

/**
 * What a person has typed, in an email to somebody else: on one line, in no other direction than the sentence, and with no web address
 * that a mail program would turn into a link.
 */
export function typedText(text: string): string {
  return plainLine(text)
    .replaceAll(/:(?=\/\/)/g, ': ')
    .replaceAll(/[.\u3002\uff0e\uff61](?=[\p{L}\p{N}]{2})/gu, '$& ')
}

function paragraph(text: string, style: string): string {
  return `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`
}
