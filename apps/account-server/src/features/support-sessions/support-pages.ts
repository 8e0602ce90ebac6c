import { english, type Locale, localePath } from '@atrium/contract/locale.ts'
import type { PageData } from '@atrium/contract/session.ts'
import { supportPath } from '@atrium/contract/support-sessions.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { epochSeconds } from '../../db/members.rules.ts'
import type { Deps } from '../../deps.ts'
import { sendPlainPage } from '../../page/plain-page.ts'
import { chosenLocale } from '../session/locale-choice.ts'
import { pageSettings } from '../session/page-settings.rules.ts'
import { signOutUrl } from '../session/session.rules.ts'
import { supportIdentifier } from './identify-support.ts'

/** Sends the agent's form. */
export function sendSupportForm(deps: Deps, request: FastifyRequest, reply: FastifyReply, agentName: string) {
  const locale = chosenLocale(request)
  const data = dataOf(deps, locale, { member: null, support: { agentName, endsAt: 0 } })
  return deps.pages.send(reply, { data, locale, tab: undefined, drawsFrame: false })
}

interface SupportedPage {
  /** Of the address's prefix; without one English. */
  locale: Locale
  tab: string | undefined
}

/** Sends the member's page to the agent who sees it, in the agent's language. The member's own language stays what it is. */
export async function sendSupportedPage(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { locale, tab }: SupportedPage,
) {
  const seen = await supportIdentifier(deps)(request)
  if (!seen) return reply.redirect(`${supportPath}/ended`, 303)

  const wanted = locale === english ? chosenLocale(request) : locale
  if (wanted !== locale) {
    const [, search = ''] = request.url.split('?', 2)
    return reply.redirect(`${supportPath}${localePath(wanted, '/account')}${search && `?${search}`}`, 303)
  }
  const { agentName, endsAt } = seen
  const data = dataOf(deps, locale, { member: seen, support: { agentName, endsAt: epochSeconds(endsAt) } })
  return deps.pages.send(reply, { data, locale, tab, drawsFrame: true })
}

function dataOf({ config }: Deps, { code }: Locale, whose: Pick<PageData, 'member' | 'support'>): PageData {
  const settings = pageSettings(config)
  return { locale: code, settings, signInUrl: null, notice: null, supportAccessUntil: 0, ...whose }
}

const sentences = {
  ended: { status: 200, sentence: 'support.ended', explanation: 'support.endedWhy', link: 'support.again' },
  failed: { status: 403, sentence: 'refused.title', explanation: 'support.failed', link: 'support.again' },
  'no-agent': { status: 403, sentence: 'refused.title', explanation: 'support.noAgent', link: 'refused.otherAccount' },
} as const

/** What an agent reads where there is nothing to see. */
export function sendSupportSentence(
  { config }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  kind: keyof typeof sentences,
) {
  const locale = chosenLocale(request)
  const t = serverTexts(locale.folder, 'session')
  const { status, sentence, explanation, link } = sentences[kind]
  return sendPlainPage(reply.code(status), {
    locale,
    brand: pageSettings(config),
    sentence: t(sentence),
    explanation: t(explanation),
    links: [{ href: kind === 'no-agent' ? signOutUrl(config, supportPath) : supportPath, label: t(link) }],
  })
}
