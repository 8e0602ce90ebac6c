import type { FastifyRequest } from 'fastify'

/** Ids of who sends a request, for its log lines. */
type LoggedIds = Readonly<Record<string, string>>

const callers = new WeakMap<FastifyRequest, LoggedIds>()

/** Names who sends a request in its log lines. Called where they are identified. */
export function logCaller(request: FastifyRequest, ids: LoggedIds): void {
  callers.set(request, ids)
}

/** Empty for a visitor. */
export function loggedCaller(request: FastifyRequest): LoggedIds {
  return callers.get(request) ?? {}
}
