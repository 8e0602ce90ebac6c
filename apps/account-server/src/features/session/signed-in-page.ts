import { localePath } from '@atrium/contract/locale.ts'
import { type LoginPopupMessage, loginChannel, loginPopupPaths } from '@atrium/contract/popups.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { scriptJson } from '@atrium/server-kit/html.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { sendPlainPage } from '../../page/plain-page.ts'
import { identifier } from './identify.ts'
import { chosenLocale } from './locale-choice.ts'
import { pageSettings } from './page-settings.rules.ts'

const message: z.input<typeof LoginPopupMessage> = { type: 'loginSuccess' }

/** A login popup, by its paths. */
export interface LoginPopup {
  /** On which it begins. */
  start: string
  /** To which the single sign-on returns. */
  path: string
  /** Whether credentials must be entered, also by who is signed in at the single sign-on. */
  renew: boolean
}

export const loginPopups: readonly LoginPopup[] = [
  { start: loginPopupPaths.signedOut, path: '/account/signed-in', renew: false },
  { start: loginPopupPaths.fresh, path: '/account/signed-in/fresh', renew: true },
]

/** The end of the login popup: notifies the page that opened it, and closes. Who is signed out by now gets the account page. */
export async function sendSignedInPage(deps: Deps, request: FastifyRequest, reply: FastifyReply) {
  const { config } = deps
  const locale = chosenLocale(request)
  if (!(await identifier(deps)(request))) return reply.redirect(localePath(locale, '/account'), 303)

  const { origin } = new URL(config.PUBLIC_URL)
  const t = serverTexts(locale.folder, 'session')
  return sendPlainPage(reply, {
    locale,
    brand: pageSettings(config),
    sentence: t('signedIn'),
    // Whoever got here by an emailed link, in another browser than the one that waits.
    links: [{ href: localePath(locale, '/account'), label: t('toAccount') }],
    script:
      `{const m=${scriptJson(message)};window.opener?.postMessage(m,${scriptJson(origin)});` +
      // A provider may have severed the opener; our pages listen on this channel too.
      `const c=new BroadcastChannel(${scriptJson(loginChannel)});c.postMessage(m);c.close();window.close()}`,
  })
}

/** In the login popup: signing in failed twice. The page that opened it still waits. */
export function sendSignInFailedPage(
  { config }: Deps,
  popup: LoginPopup,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const locale = chosenLocale(request)
  const t = serverTexts(locale.folder, 'frame')
  return sendPlainPage(reply, {
    locale,
    brand: pageSettings(config),
    sentence: t('signInFailed.title'),
    explanation: t('signInFailed.why'),
    links: [{ href: popup.start, label: t('signInFailed.retry') }],
  })
}
