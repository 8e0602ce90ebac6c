import type { Member } from '@atrium/server-kit/caller.ts'
import { logCaller } from '@atrium/server-kit/logged-caller.ts'
import { visitor } from '@atrium/server-kit/serve.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { supportCookie } from '../session/session.cookies.ts'
import { hashOf, isToken } from '../session/session.rules.ts'
import { runningSession } from './support-sessions.queries.ts'

interface SeenMember extends Member {
  agentName: string
  endsAt: Date
}

/**
 * Identifies a support agent, by the support cookie alone, as the member whose account they see. One query, which also checks that
 * the member's grant runs; nothing is written.
 */
export function supportIdentifier({ db, config, wallClock }: Pick<Deps, 'db' | 'config' | 'wallClock'>) {
  return async (request: FastifyRequest): Promise<SeenMember | undefined> => {
    const token = supportToken(config, request)
    const found = token && (await runningSession(db, hashOf(token), wallClock()))
    if (!found) return undefined
    const { memberId: id, email, firstName, lastName, id: sessionId, agentName, endsAt } = found
    logCaller(request, { memberId: id, supportSessionId: sessionId })
    const member = { ...visitor(request), id, email, firstName, lastName, sessionId, subject: '' }
    return { ...member, isSupport: true, agentName, endsAt }
  }
}

/** The token in the support cookie, if it has the form of one. */
export function supportToken(config: Deps['config'], request: FastifyRequest): string | undefined {
  const token = request.cookies[supportCookie(config).name]
  return isToken(token) ? token : undefined
}
