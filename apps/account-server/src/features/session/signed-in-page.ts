import { randomBytes } from 'node:crypto'
import { type LoginPopupMessage, loginChannel } from '@atrium/contract/popups.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { escapeHtml, scriptJson } from '@atrium/server-kit/html.ts'
import { pagePolicy } from '@atrium/server-kit/security-headers.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { languageTag } from '../../page/pages.ts'
import { chosenLocale } from './locale-choice.ts'

const message: z.input<typeof LoginPopupMessage> = { type: 'loginSuccess' }

/** The end of the login popup: tells the page that opened it, and closes. */
export function sendSignedInPage({ config }: Deps, request: FastifyRequest, reply: FastifyReply) {
  const locale = chosenLocale(request)
  const nonce = randomBytes(16).toString('base64')
  const { origin } = new URL(config.PUBLIC_URL)
  const sentence = escapeHtml(serverTexts(locale.folder, 'session')('signedIn'))
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy({ nonce }),
    })
    .send(
      `<!doctype html><html lang="${languageTag(locale)}"><meta charset="utf-8">` +
        `<meta name="viewport" content="width=device-width"><title>${escapeHtml(config.BRAND_NAME)}</title>` +
        `<style nonce="${nonce}">:root{color-scheme:light dark}body{font:15px/1.5 system-ui;display:grid;place-items:center;min-height:90vh;margin:16px}</style>` +
        `<main><p role="status">${sentence}</p></main>` +
        `<script nonce="${nonce}">{const m=${scriptJson(message)};window.opener?.postMessage(m,${scriptJson(origin)});` +
        // A provider on the way may have cut the opener; pages of ours listen here too.
        `const c=new BroadcastChannel(${scriptJson(loginChannel)});c.postMessage(m);c.close();window.close()}</script>`,
    )
}
