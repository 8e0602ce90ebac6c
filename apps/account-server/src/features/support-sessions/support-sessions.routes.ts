import { localePath, locales } from '@atrium/contract/locale.ts'
import * as contract from '@atrium/contract/support-sessions.ts'
import { newLimit } from '@atrium/server-kit/limits.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { serve, visitor } from '@atrium/server-kit/serve.ts'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { serviceTicket } from '../../outside/cas.ts'
import { readLogoutRequest } from '../../outside/cas-xml.ts'
import { writeLocale } from '../session/locale-choice.ts'
import { supportCookie, supportNonceCookie } from '../session/session.cookies.ts'
import { hashOf } from '../session/session.rules.ts'
import { supportIdentifier, supportToken } from './identify-support.ts'
import { noteRefusedAgent } from './refused-agent.writes.ts'
import { sendSupportedPage, sendSupportForm, sendSupportSentence } from './support-pages.ts'
import { agentOfToken } from './support-sessions.queries.ts'
import { endByAgent, endByMember, endByTicket, startSession, supportSessionsOf } from './support-sessions.service.ts'
import { beginAgentSignIn, redeemAgentTicket } from './support-sign-in.ts'

const { supportPath } = contract

const Query = z.object({
  tab: z.string().optional().catch(undefined),
  ticket: z.string().max(1000).optional().catch(''),
  signin: z.string().max(100).optional().catch(''),
})

/** Support sign-in: the agent's pages and calls below `/support`, and the member's calls. */
export async function supportSessionsRoutes(app: FastifyInstance, deps: Deps) {
  const { config, db, wallClock } = deps
  // One agent cannot try many addresses.
  const starts = newLimit(db, { name: 'support-start', points: 10, seconds: 600, schema: 'account' })
  const cookie = supportCookie(config)

  serve(app, contract.listSupportSessions, (_input, member) => supportSessionsOf(deps, member))

  serve(app, contract.endSupportSession, ({ params }, member) => endByMember(deps, member, params.id))

  serve(app, contract.startSupportSession, async ({ body }, caller, { request, reply }) => {
    const agent = await agentOf(deps, request)
    if (!agent) throw new Problem('signed_out')
    const { agentSubject: subject } = agent
    await starts.take(hashOf(subject))
    const start = { agent, asked: body, visitor: caller, now: wallClock() }
    const token = await startSession(deps, start).catch(async (failure) => {
      if (failure instanceof Problem) await noteRefusedAgent(deps, { subject, email: body.email, visitor: caller })
      throw failure
    })
    reply.setCookie(cookie.name, token, cookie.options)
    return { redirectUrl: `${supportPath}/account` }
  })

  serve(app, contract.leaveSupport, async (_input, caller, { request, reply }) => {
    const token = supportToken(config, request)
    if (token) await endByAgent(deps, token, caller)
    reply.clearCookie(cookie.name, cookie.options)
    return { redirectUrl: `${supportPath}/ended` }
  })

  app.get(supportPath, (request, reply) => supportFront(deps, request, reply))
  app.get(`${supportPath}/ended`, (request, reply) => sendSupportSentence(deps, request, reply, 'ended'))
  for (const locale of locales) {
    app.get(`${supportPath}${localePath(locale, '/account')}`, (request, reply) =>
      sendSupportedPage(deps, request, reply, { locale, tab: Query.parse(request.query).tab }),
    )
  }

  await app.register(async (scope) => {
    await scope.register(formbody, { bodyLimit: 8 * 1024 })
    scope.post(supportPath, (request, reply) => singleLogout(deps, request, reply))
  })
}

/** Leads an agent to the login page, to the form, or to the account that they see already. */
async function supportFront(deps: Deps, request: FastifyRequest, reply: FastifyReply) {
  const { ticket, signin: nonce } = Query.parse(request.query)
  // HEAD requests change nothing, so the ticket stays valid for the visit.
  if (ticket !== undefined && request.method !== 'HEAD') return comeBack(deps, request, reply, { ticket, nonce })

  const agent = await agentOf(deps, request)
  if (agent) return sendSupportForm(deps, request, reply, agent.agentName)
  const seen = await supportIdentifier(deps)(request)
  return seen ? reply.redirect(`${supportPath}/account`, 303) : beginAgentSignIn(deps, request, reply)
}

async function comeBack(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  returned: { ticket: string; nonce: string | undefined },
) {
  const outcome = await redeemAgentTicket(deps, request, returned)
  // Back to the address of a sign-in that has succeeded: the support cookie says what came of it.
  if (outcome.kind === 'failed' && (await isSignedIn(deps, request))) return reply.redirect(supportPath, 303)
  if (outcome.kind !== 'signed-in') return sendSupportSentence(deps, request, reply, outcome.kind)
  const nonce = supportNonceCookie(deps.config)
  reply.clearCookie(nonce.name, nonce.options)
  const cookie = supportCookie(deps.config)
  reply.setCookie(cookie.name, outcome.token, cookie.options)
  if (outcome.chosen) writeLocale(deps.config, { request, reply }, outcome.chosen)
  return reply.redirect(supportPath, 303)
}

async function isSignedIn(deps: Deps, request: FastifyRequest): Promise<boolean> {
  const found = (await agentOf(deps, request)) ?? (await supportIdentifier(deps)(request))
  return found !== undefined
}

async function agentOf({ db, config, wallClock }: Deps, request: FastifyRequest) {
  const token = supportToken(config, request)
  return token === undefined ? undefined : agentOfToken(db, hashOf(token), wallClock())
}

/** A back-channel request of the single sign-on, which repeats it unless the answer is 2xx. */
async function singleLogout(deps: Deps, request: FastifyRequest, reply: FastifyReply) {
  const body = z.object({ logoutRequest: z.string() }).safeParse(request.body)
  const ticket = body.success ? readLogoutRequest(body.data.logoutRequest) : undefined
  if (ticket && serviceTicket.test(ticket)) await endByTicket(deps, ticket, visitor(request))
  return reply.code(200).send()
}
