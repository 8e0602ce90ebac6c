import { randomBytes } from 'node:crypto'
import { type Locale, locales } from '@atrium/contract/locale.ts'
import { escapeHtml, scriptJson } from '@atrium/server-kit/html.ts'
import { pageHeaders } from '@atrium/server-kit/security-headers.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SsoConfig } from '../config.ts'
import { type Page, PageData } from '../wire.ts'
import { chooseLocale } from './language.ts'

export interface Pages {
  /** Sends a page. */
  show(request: FastifyRequest, reply: FastifyReply, page: Page, status?: number): FastifyReply
  /** Sends a form that posts a ticket to its service immediately (CAS 3.0 §2.1.1, `method=POST`). */
  postTicket(reply: FastifyReply, address: URL, ticket: string): FastifyReply
}

/** @param template the built `index.html`, with the placeholders `__NONCE__` and `<!--page-data-->` */
export function newPages(template: string, config: SsoConfig): Pages {
  const isSecure = config.SSO_URL.startsWith('https:')
  return {
    show(request, reply, page, status = 200) {
      const locale = chooseLocale(request, reply, isSecure)
      const nonce = newNonce()
      return html(reply, {
        status,
        headers: headersOf(nonce, page),
        body: fill(template, { nonce, locale, config, page }),
      })
    },
    postTicket(reply, address, ticket) {
      const nonce = newNonce()
      return html(reply, {
        status: 200,
        headers: pageHeaders({ nonce, formAction: [address.origin] }),
        body: ticketForm({ nonce, address, ticket }),
      })
    },
  }
}

/** The page of a problem, for a person. */
export function problemPageOf(status: number): 'not-found' | 'malformed' | 'unavailable' {
  if (status === 404) return 'not-found'
  return status >= 500 || status === 429 ? 'unavailable' : 'malformed'
}

function newNonce(): string {
  return randomBytes(16).toString('base64')
}

function headersOf(nonce: string, page: Page) {
  const leads =
    page.name === 'sign-in' ||
    page.name === 'sign-in-code' ||
    page.name === 'program' ||
    page.name === 'provider-return'
  const posts = leads && page.method === 'POST'
  const formService = posts ? page.service : null
  return pageHeaders({ nonce, formAction: formService ? [new URL(formService).origin] : [] })
}

interface Reply {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

function html(reply: FastifyReply, { status, headers, body }: Reply): FastifyReply {
  return reply
    .code(status)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(body)
}

interface Filling {
  nonce: string
  locale: Locale
  config: SsoConfig
  page: Page
}

function fill(template: string, { nonce, locale, config, page }: Filling): string {
  const { BRAND_NAME: brandName, BRAND_COLOR: brandColor, SITE_URL: siteUrl, ACCOUNT_URL: accountUrl } = config
  const data = PageData.parse({
    brandName,
    brandColor,
    siteUrl,
    accountUrl,
    locale: locale.code,
    folder: locale.folder,
    languages: locales.map(({ code, name }) => ({ code, name })),
    providers: config.PROVIDERS.map(({ name }) => name),
    page,
  })
  return template
    .replaceAll('__NONCE__', nonce)
    .replace('<html lang="en"', `<html lang="${locale.code}"`)
    .replace('__TITLE__', () => escapeHtml(brandName))
    .replace(
      '<!--page-data-->',
      () => `<script type="application/json" id="page-data" nonce="${nonce}">${scriptJson(data)}</script>`,
    )
}

interface TicketForm {
  nonce: string
  address: URL
  ticket: string
}

/** Without JavaScript, the button submits it. */
function ticketForm({ nonce, address, ticket }: TicketForm): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>…</title>
<form method="post" action="${escapeHtml(address.href)}">
<input type="hidden" name="ticket" value="${escapeHtml(ticket)}">
<noscript><button>→</button></noscript>
</form>
<script nonce="${nonce}">document.forms[0].submit()</script>
</html>`
}
