import { randomBytes } from 'node:crypto'
import type { Locale } from '@atrium/contract/locale.ts'
import { escapeHtml } from '@atrium/server-kit/html.ts'
import { pageHeaders } from '@atrium/server-kit/security-headers.ts'
import type { FastifyReply } from 'fastify'
import { type Brand, brandColors, brandSign } from './brand.ts'
import { languageTag } from './pages.ts'

interface PlainPage {
  locale: Locale
  brand: Brand
  /** The text of the page, as its heading. */
  sentence: string
  explanation?: string
  /** Links to paths of ours, or to addresses from settings. */
  links?: readonly { href: string; label: string }[]
  /** An inline script of ours. */
  script?: string
}

/** A minimal version of the account page's cards (`packages/ui/src/tokens.css`). */
const style = `
:root{color-scheme:light dark;--ink:light-dark(#1d1b18,#ece9e2);--surface:light-dark(#fff,#1d1b18)}
body{font:15px/1.5 system-ui,sans-serif;margin:0;padding:48px 16px;background:light-dark(#faf9f7,#161512);color:var(--ink);text-wrap:pretty;word-break:auto-phrase}
header{display:flex;justify-content:center;align-items:center;gap:10px;font-size:18px;font-weight:650;letter-spacing:-.01em;margin-bottom:32px}
header path{fill:var(--boot-brand)}
header path+path{fill:none;stroke:var(--boot-on-brand);stroke-width:1.8;stroke-linecap:round}
main{box-sizing:border-box;max-width:416px;margin:auto;padding:32px;background:var(--surface);border:1px solid light-dark(#e7e4dd,#35322c);border-radius:12px}
h1{font-size:20px;line-height:1.3;font-weight:650;letter-spacing:-.01em;margin:0;text-wrap:balance}
p{margin:12px 0 0;color:light-dark(#6b665b,#a19c91)}
nav{display:flex;flex-wrap:wrap;gap:16px 24px;align-items:center;margin-top:24px}
a{color:inherit;border-radius:8px;font-weight:550}
a:first-child{background:var(--boot-brand);color:var(--boot-on-brand);padding:8px 16px;text-decoration:none}
a:focus-visible{outline:2px solid light-dark(#3b51c4,#9fb0ff);outline-offset:2px}`.replaceAll('\n', '')

/** A page of a few sentences, where the account page is not available. */
export function sendPlainPage(reply: FastifyReply, page: PlainPage) {
  const { locale, brand, sentence, explanation, links = [], script } = page
  const nonce = randomBytes(16).toString('base64')
  const more = explanation ? `<p>${escapeHtml(explanation)}</p>` : ''
  const anchors = links.map(({ href, label }) => `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`).join('')
  const onward = anchors && `<nav>${anchors}</nav>`
  return reply
    .headers({ 'content-type': 'text/html; charset=utf-8', ...pageHeaders({ nonce }) })
    .send(
      `<!doctype html><html lang="${languageTag(locale)}"><meta charset="utf-8">` +
        `<meta name="viewport" content="width=device-width"><title>${escapeHtml(brand.brandName)}</title>` +
        `<style nonce="${nonce}">:root{${brandColors(brand)}}${style}</style>` +
        `<header>${brandSign}${escapeHtml(brand.brandName)}</header>` +
        `<main><h1>${escapeHtml(sentence)}</h1>${more}${onward}</main>` +
        (script ? `<script nonce="${nonce}">${script}</script>` : ''),
    )
}
