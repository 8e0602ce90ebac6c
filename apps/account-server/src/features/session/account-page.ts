import { english, type Locale, localeByCode, localePath } from '@atrium/contract/locale.ts'
import type { PageData, PageSettings } from '@atrium/contract/session.ts'
import { accountTabs, tabNamed } from '@atrium/contract/tabs.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountConfig } from '../../config.ts'
import { grantedUntil } from '../../db/members.rules.ts'
import type { Deps } from '../../deps.ts'
import { identifier } from './identify.ts'
import { chosenLocale, localeCookieName, writeLocale } from './locale-choice.ts'
import { pageSettings } from './page-settings.rules.ts'
import { noticeCookie } from './session.cookies.ts'
import { signInUrl } from './sign-on.ts'

export interface PageQuery {
  tab: string | undefined
  /** The token of an invitation's link. */
  invitation: string | undefined
}

interface PageRequest {
  /** Of the address's prefix; without one English. */
  locale: Locale
  query: PageQuery
  request: FastifyRequest
  reply: FastifyReply
  notice?: 'sign_in_failed'
}

/** Sends the account page in the right language, with the signed-in member or the sign-in address. */
export async function sendAccountPage(deps: Deps, { locale, query, request, reply, notice }: PageRequest) {
  const { config, pages } = deps
  const settings = pageSettings(config)
  const wanted = locale === english ? chosenLocale(request) : locale
  // A failed sign-in is said first: it shows no roadmap.
  const isRefused = !notice && wanted.code === 'ru-ru' && isRoadmap(settings, query)

  const elsewhere = isRefused ? englishRoadmap(locale, request) : addressOfCookie(locale, request)
  if (isRefused) writeLocale(config, { request, reply }, english)
  if (isRefused && elsewhere) leaveNotice(config, reply)
  if (elsewhere) return reply.redirect(elsewhere, 303)

  const shown = isRefused ? english : wanted
  if (locale !== english) writeLocale(config, { request, reply }, locale)

  const caller = await identifier(deps)(request, { shown: shown.code })
  const signedOut = !caller && !notice
  const left = roadmapNotice(config, { isRefused, signedOut, request, reply })
  const data: PageData = {
    locale: shown.code,
    settings,
    member: caller ?? null,
    signInUrl: signedOut
      ? signInUrl(deps, request, reply, {
          path: localePath(locale, '/account'),
          invitation: query.invitation,
          retry: false,
        })
      : null,
    notice: notice ?? left,
    supportAccessUntil: grantedUntil(caller?.supportAccessUntil ?? null, deps.wallClock()),
    support: null,
  }
  // An invitation has a page of its own.
  const drawsFrame = caller !== undefined && query.invitation === undefined
  return pages.send(reply, { data, locale: shown, tab: query.tab, drawsFrame })
}

/** In any spelling of the tab, as the page reads it. */
function isRoadmap(settings: PageSettings, { tab }: PageQuery): boolean {
  return tabNamed(accountTabs(settings), tab).name === 'roadmap'
}

/**
 * There is no roadmap in Russian (000 §9): the address in English, with the same filters. An address without a prefix is shown in
 * English at once, so that a browser without cookies cannot be redirected forever.
 */
function englishRoadmap(locale: Locale, request: FastifyRequest): string | undefined {
  if (locale === english) return undefined
  const url = new URL(request.url, 'http://path.invalid')
  url.searchParams.delete('tab')
  const others = url.searchParams.toString()
  return `${localePath(english, '/account')}?tab=Roadmap${others && `&${others}`}`
}

/** Without a prefix the cookie decides: the address in its language, unless that is English. */
function addressOfCookie(locale: Locale, request: FastifyRequest): string | undefined {
  const wanted = localeByCode(request.cookies[localeCookieName])
  if (locale !== english || !wanted || wanted === english) return undefined
  const [, search = ''] = request.url.split('?', 2)
  return `${localePath(wanted, '/account')}${search && `?${search}`}`
}

function leaveNotice(config: AccountConfig, reply: FastifyReply): void {
  const cookie = noticeCookie(config)
  reply.setCookie(cookie.name, 'roadmap_language', cookie.options)
}

interface Notice {
  /** Whether this request asked for the roadmap in Russian. */
  isRefused: boolean
  signedOut: boolean
  request: FastifyRequest
  reply: FastifyReply
}

/** That the language changed: said once, to who is signed in. A visitor who must sign in first sees it afterwards. */
function roadmapNotice(config: AccountConfig, { isRefused, signedOut, request, reply }: Notice): PageData['notice'] {
  const cookie = noticeCookie(config)
  const isDue = isRefused || request.cookies[cookie.name] === 'roadmap_language'
  if (!isDue) return null
  if (signedOut) {
    leaveNotice(config, reply)
    return null
  }
  reply.clearCookie(cookie.name, cookie.options)
  return 'roadmap_language'
}
