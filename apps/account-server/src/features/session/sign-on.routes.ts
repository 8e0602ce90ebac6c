import { InvitationToken } from '@atrium/contract/invitations.ts'
import { type Locale, localePath, locales } from '@atrium/contract/locale.ts'
import { visitor } from '@atrium/server-kit/serve.ts'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { serviceTicket } from '../../outside/cas.ts'
import { readLogoutRequest } from '../../outside/cas-xml.ts'
import { type PageQuery, sendAccountPage } from './account-page.ts'
import { writeLocale } from './locale-choice.ts'
import { sendRefusedPage } from './refused-page.ts'
import { nonceCookie, sessionCookie } from './session.cookies.ts'
import { endSessionsOfTicket } from './session.service.ts'
import { beginSignIn, type Redemption, redeem } from './sign-on.ts'
import { type LoginPopup, loginPopups, sendSignedInPage, sendSignInFailedPage } from './signed-in-page.ts'

/** Of a parameter that stands twice in an address, the page takes the last one. */
const LastText = z.union([z.string(), z.array(z.string()).transform((values) => values.at(-1))])

const Query = z.object({
  tab: LastText.optional().catch(undefined),
  ticket: z.string().max(1000).optional().catch(''),
  signin: z.string().max(100).optional().catch(''),
  invitation: InvitationToken.optional().catch(undefined),
})

type Query = z.output<typeof Query>

/** Routes of signing in: the account page, the login popup, and single logout. */
export async function signOnRoutes(app: FastifyInstance, deps: Deps) {
  const { config } = deps

  app.get('/', (_request, reply) => reply.redirect(config.SITE_URL, 302))

  for (const locale of locales) {
    const path = localePath(locale, '/account')
    app.get(path, (request, reply) => accountPage(deps, locale, request, reply))
    app.get(`${path}/roadmap.html`, (request, reply) => reply.redirect(`${path}?${roadmapSearch(request.url)}`, 303))
  }

  for (const popup of loginPopups) {
    app.get(popup.start, (request, reply) => beginSignIn(deps, request, reply, { ...popup, retry: false }))
    app.get(popup.path, (request, reply) => endOfPopup(deps, popup, request, reply))
  }

  await app.register(async (scope) => {
    await scope.register(formbody, { bodyLimit: 8 * 1024 })
    // All of them come from the address of the single sign-on, and many together when a night's sessions end.
    // One hook for all paths: a limit in a route's configuration counts that route alone.
    const onRequest = app.rateLimit({ max: 10 * config.REQUESTS_PER_MINUTE })
    const limited = { onRequest, config: { rateLimit: false as const } }
    for (const path of [
      ...locales.map((locale) => localePath(locale, '/account')),
      ...loginPopups.map((popup) => popup.path),
    ]) {
      scope.post(path, limited, (request, reply) => singleLogout(deps, request, reply))
    }
  })
}

async function endOfPopup(deps: Deps, popup: LoginPopup, request: FastifyRequest, reply: FastifyReply) {
  const query = Query.parse(request.query)
  if (!mayRedeem(request, query)) return sendSignedInPage(deps, request, reply)
  const outcome = await redeem(deps, request, { ...popup, ticket: query.ticket, nonce: query.signin })
  if (outcome.kind === 'signed-in') startSession(deps, { request, reply }, outcome)
  if (outcome.kind === 'retry') {
    return beginSignIn(deps, request, reply, { ...popup, retry: true, gateway: outcome.gateway })
  }
  if (outcome.kind === 'refused') return sendRefusedPage(deps, request, reply, outcome.reason)
  if (outcome.kind === 'failed') return sendSignInFailedPage(deps, popup, request, reply)
  return reply.redirect(popup.path, 303)
}

async function accountPage(deps: Deps, locale: Locale, request: FastifyRequest, reply: FastifyReply) {
  const query = Query.parse(request.query)
  // Asked who is there, the single sign-on knew nobody.
  const isAnswer = query.signin !== undefined && query.ticket === undefined
  if (isAnswer) return reply.redirect(withoutTicket(request, locale), 303)
  if (!mayRedeem(request, query)) return sendAccountPage(deps, { locale, query: pageQuery(query), request, reply })

  const path = localePath(locale, '/account')
  const { ticket, signin: nonce, invitation } = query
  const outcome = await redeem(deps, request, { path, invitation, ticket, nonce })
  if (outcome.kind === 'signed-in') startSession(deps, { request, reply }, outcome)
  if (outcome.kind === 'retry') {
    return beginSignIn(deps, request, reply, { path, invitation, retry: true, gateway: outcome.gateway })
  }
  if (outcome.kind === 'refused') return sendRefusedPage(deps, request, reply, outcome.reason)
  if (outcome.kind === 'failed') {
    return sendAccountPage(deps, { locale, query: pageQuery(query), request, reply, notice: 'sign_in_failed' })
  }
  const chosen = outcome.kind === 'signed-in' ? outcome.chosen : undefined
  return reply.redirect(withoutTicket(request, chosen ?? locale), 303)
}

/** HEAD requests (mail scanners, monitors) change nothing, so the ticket stays valid for the visit. */
function mayRedeem({ method }: FastifyRequest, query: Query): query is Query & { ticket: string } {
  return method !== 'HEAD' && query.ticket !== undefined
}

function pageQuery({ tab, invitation }: Query): PageQuery {
  return { tab, invitation }
}

type SignedIn = Extract<Redemption, { kind: 'signed-in' }>

function startSession(
  { config }: Deps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { token, chosen }: SignedIn,
) {
  const nonce = nonceCookie(config)
  reply.clearCookie(nonce.name, nonce.options)
  const cookie = sessionCookie(config)
  reply.setCookie(cookie.name, token, cookie.options)
  // Of the popup too: the page that opened it stays as it is, since something is typed there.
  if (chosen) writeLocale(config, { request, reply }, chosen)
}

/** The same address in a language, without `ticket` and `signin`, as a path. */
function withoutTicket(request: FastifyRequest, locale: Locale): string {
  const url = new URL(request.url, 'http://path.invalid')
  url.searchParams.delete('ticket')
  url.searchParams.delete('signin')
  return `${localePath(locale, '/account')}${url.search}`
}

/** The roadmap's filters are those of its own address. */
function roadmapSearch(url: string): URLSearchParams {
  const search = new URL(url, 'http://path.invalid').searchParams
  search.set('tab', 'roadmap')
  return search
}

/** A back-channel request of the single sign-on, which repeats it unless the answer is 2xx; so it does after our failures too. */
async function singleLogout({ db, wallClock }: Deps, request: FastifyRequest, reply: FastifyReply) {
  const body = z.object({ logoutRequest: z.string() }).safeParse(request.body)
  const ticket = body.success ? readLogoutRequest(body.data.logoutRequest) : undefined
  if (ticket && serviceTicket.test(ticket)) await endSessionsOfTicket(db, ticket, visitor(request), wallClock())
  return reply.code(200).send()
}
