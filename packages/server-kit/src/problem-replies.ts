import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Endpoint } from '@atrium/contract/endpoint.ts'
import { commonProblems, type ProblemDocument } from '@atrium/contract/problem.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/** What Fastify itself refuses, by its error code. */
const fastifyProblems: Readonly<Record<string, keyof typeof commonProblems>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'json_only',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed',
  FST_ERR_BAD_URL: 'malformed',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** Answers with the problem that was thrown, if it was declared; anything else is a bug: logged, and 500. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof Problem) {
    const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint }
    const common: Readonly<Record<string, number>> = commonProblems
    const status = endpoint?.problems?.[error.code] ?? common[error.code]
    if (status) return answerProblem(request, reply, error.code, status, error)
  }

  if (isPoolExhausted(error)) return answerOverload(request, reply)

  const code = fastifyProblems[error.code] ?? (error.statusCode === 400 ? 'malformed' : undefined)
  if (code) return answerProblem(request, reply, code, commonProblems[code])

  request.log.error({ err: error, route: request.routeOptions.url }, 'undeclared failure')
  return answerProblem(request, reply, 'internal', 500)
}

/** We are too busy: come back in a moment. */
export function answerOverload(request: FastifyRequest, reply: FastifyReply) {
  reply.header('retry-after', '2')
  return answerProblem(request, reply, 'overloaded', 503)
}

/** No connection came free within the pool's second, a statement or lock ran into its limit, or two waited for each other. */
function isPoolExhausted(error: unknown): boolean {
  const chain = error instanceof Error && error.cause instanceof Error ? [error, error.cause] : [error]
  return chain.some(
    (link) =>
      link instanceof Error &&
      (link.message.includes('timeout exceeded when trying to connect') ||
        ('code' in link && typeof link.code === 'string' && ['57014', '55P03', '53300', '40P01'].includes(link.code))),
  )
}

export function answerProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  code: string,
  status: number,
  problem?: Problem,
) {
  const { detail, errors, retryAfter } = problem?.details ?? {}
  const document: ProblemDocument = {
    type: 'about:blank',
    title: titleOf(code),
    status,
    code,
    requestId: request.id,
    ...(detail && { detail }),
    ...(errors && { errors: [...errors] }),
  }
  if (retryAfter) reply.header('retry-after', String(retryAfter))
  return reply
    .code(status)
    .header('content-type', 'application/problem+json')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(document)
}

function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A request that is no HTTP never reaches a route: answered here, in the same shape, on the bare socket. */
const socketProblems: Readonly<Record<string, keyof typeof commonProblems>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** @param headers what every reply carries */
export function answerClientError(headers: Readonly<Record<string, string>>) {
  return (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
    const code = socketProblems[error.code ?? ''] ?? 'malformed'
    const status = commonProblems[code]
    const body = JSON.stringify({ type: 'about:blank', title: titleOf(code), status, code, requestId: randomUUID() })
    const all = {
      ...headers,
      'content-type': 'application/problem+json',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
    socket.end([`HTTP/1.1 ${status} ${titleOf(code)}`, ...lines, '', body].join('\r\n'))
  }
}
