import { localePath } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { sendPlainPage } from '../../page/plain-page.ts'
import { chosenLocale } from './locale-choice.ts'
import { pageSettings } from './page-settings.rules.ts'
import { nonceCookie } from './session.cookies.ts'
import { type IdentityRefusal, signOutUrl } from './session.rules.ts'

/** For a person whom the single sign-on knows and who has no account here: what to do, without naming the account's owner. */
export function sendRefusedPage(
  { config }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { code }: IdentityRefusal,
) {
  const locale = chosenLocale(request)
  const t = serverTexts(locale.folder, 'session')
  const nonce = nonceCookie(config)
  reply.clearCookie(nonce.name, nonce.options)
  return sendPlainPage(reply.code(403), {
    locale,
    brand: pageSettings(config),
    sentence: t('refused.title'),
    explanation: code === 'email_taken' ? t('refused.emailTaken') : t('refused.emailUnverified'),
    links: [
      // Choosing one by an emailed link confirms the address; at a CAS server of the vendor, that is its business.
      ...(code === 'email_unverified' && config.PASSWORD_URL === undefined
        ? [{ href: `${config.SSO_URL}/forgotten-password`, label: t('refused.confirm') }]
        : []),
      { href: config.TICKETS_URL, label: t('refused.support') },
      // With the session at the single sign-on they would return to this page.
      { href: signOutUrl(config, localePath(locale, '/account')), label: t('refused.otherAccount') },
    ],
  })
}
