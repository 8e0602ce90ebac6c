import { randomBytes } from 'node:crypto'
import type { Locale } from '@atrium/contract/locale.ts'
import { escapeHtml } from '@atrium/server-kit/html.ts'
import { pagePolicy } from '@atrium/server-kit/security-headers.ts'
import type { FastifyReply } from 'fastify'
import { languageTag } from './pages.ts'

interface PlainPage {
  locale: Locale
  /** The vendor's name. */
  title: string
  sentence: string
  /** Where to go on, as a path of ours. */
  link?: { href: string; label: string }
  /** A script of ours, whole. */
  script?: string
}

const style =
  ':root{color-scheme:light dark}body{font:15px/1.5 system-ui;display:grid;place-items:center;min-height:90vh;margin:16px;text-align:center;background:light-dark(#faf9f7,#161512);color:light-dark(#1d1b18,#ece9e2)}a{color:light-dark(#3b51c4,#9fb0ff)}h1{font-size:18px;font-weight:650}'

/** A page of one sentence, for where the account page cannot be. */
export function sendPlainPage(reply: FastifyReply, { locale, title, sentence, link, script }: PlainPage) {
  const nonce = randomBytes(16).toString('base64')
  const onward = link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></p>` : ''
  return reply
    .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy({ nonce }) })
    .send(
      `<!doctype html><html lang="${languageTag(locale)}"><meta charset="utf-8">` +
        `<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>` +
        `<style nonce="${nonce}">${style}</style>` +
        `<main><h1>${escapeHtml(sentence)}</h1>${onward}</main>` +
        (script ? `<script nonce="${nonce}">${script}</script>` : ''),
    )
}
