import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { declaredProblem, type Endpoint } from '@atrium/contract/endpoint.ts'
import { commonProblems, type ProblemDocument } from '@atrium/contract/problem.ts'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { CommitOutcomeUnknown, driverError, isDatabaseUnavailable } from './database-failure.ts'
import { loggedCaller } from './logged-caller.ts'
import { networkOf } from './network.ts'
import { prefersHtml } from './prefers-html.ts'
import { Problem } from './problem.ts'

type CommonProblem = keyof typeof commonProblems

/** The page for a person who opened an address that answers with a problem. */
export type ProblemPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: { code: string; status: number },
) => unknown

/** Errors of Fastify and its plugins, by their status. */
const refusals: Readonly<Record<number, CommonProblem>> = {
  400: 'malformed',
  // A file that must not be read looks like none.
  403: 'not_found',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'too_large',
  414: 'address_too_long',
  415: 'json_only',
  429: 'too_often',
  431: 'headers_too_large',
}

/** Where the error's code is more precise than its status. */
const refusalsByCode: Readonly<Record<string, CommonProblem>> = { FST_ERR_MAX_PARAM_LENGTH: 'not_found' }

/** Answers with the thrown problem if it was declared; anything else is a bug: logged, and 500. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof Problem) {
    const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint }
    const common: Readonly<Record<string, number>> = commonProblems
    const { status = common[error.code], data } = endpoint ? declaredProblem(endpoint, error.code) : {}
    // Only what the schema declares is sent.
    const parsed = data?.safeParse(error.details.data)
    if (parsed?.error) {
      // The log shows who threw it (stack) and what does not fit (cause).
      error.cause = parsed.error
      return answerBug(request, reply, error)
    }
    if (status) {
      logRefusal(request, { code: error.code, status })
      if (error.cause) request.log.warn({ err: error.cause, code: error.code }, 'failed elsewhere')
      return answerProblem(request, reply, error.code, status, { ...error.details, data: parsed?.data })
    }
  }
  const { statusCode = 500 } = error
  if (error instanceof CommitOutcomeUnknown) return answerBusy(request, reply, 'outcome_unknown')
  // A caller that disconnects in the middle of its body causes a network error too, with Fastify's status.
  if (!isRefusal(statusCode) && isDatabaseUnavailable(error)) {
    // Only one line without stack: during an outage every request causes one.
    request.log.warn({ route: request.routeOptions.url, reason: driverError(error) }, 'database unavailable')
    return answerBusy(request, reply)
  }

  const code = refusalsByCode[error.code] ?? refusals[statusCode] ?? (isRefusal(statusCode) ? 'malformed' : undefined)
  if (code) return answerProblem(request, reply, code, commonProblems[code])

  return answerBug(request, reply, error)
}

/**
 * A line for what somebody may not do, and for an object that a signed-in person does not have: it may be another's, which their
 * query cannot tell from a missing one. With the ids that were asked for, and the network.
 */
function logRefusal(request: FastifyRequest, { code, status }: { code: string; status: number }): void {
  const who = loggedCaller(request)
  const isForeign = status === 404 && Object.keys(who).length > 0
  if (status !== 403 && !isForeign) return
  const ids = Object.entries(request.params ?? {}).filter(([, value]) => isId(value))
  const about = {
    code,
    route: request.routeOptions.url,
    target: Object.fromEntries(ids),
    network: networkOf(request.ip),
  }
  request.log[status === 403 ? 'warn' : 'info']({ ...about, ...who }, 'refused')
}

/** A part of an address may be any text before it is parsed. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[\w.-]{1,100}$/.test(value)
}

function answerBug(request: FastifyRequest, reply: FastifyReply, error: Error) {
  request.log.error({ err: error, route: request.routeOptions.url }, 'undeclared failure')
  return answerProblem(request, reply, 'internal', 500)
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500
}

/** Answers that the server is busy, with `Retry-After`. */
export function answerBusy(
  request: FastifyRequest,
  reply: FastifyReply,
  code: 'overloaded' | 'outcome_unknown' = 'overloaded',
) {
  reply.header('retry-after', '2')
  return answerProblem(request, reply, code, commonProblems[code])
}

export function answerProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  code: string,
  status: number,
  { detail, errors, retryAfter, data }: Problem['details'] = {},
) {
  const document: ProblemDocument = {
    type: 'about:blank',
    title: titleOf(code),
    status,
    code,
    requestId: request.id,
    ...(detail && { detail }),
    ...(errors && { errors: [...errors] }),
    ...(data !== undefined && { data }),
  }
  if (retryAfter) reply.header('retry-after', String(retryAfter))
  const page = pageFor(request)
  if (page) return page(request, reply.code(status), { code, status })
  return reply
    .code(status)
    .header('content-type', 'application/problem+json')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(document)
}

/** The problem page, for people who opened an address. */
function pageFor({ method, headers, cookies, server }: FastifyRequest): ProblemPage | undefined {
  const isPerson = (method === 'GET' || method === 'HEAD') && prefersHtml(headers.accept)
  // A malformed address never reaches the hook that reads cookies.
  return isPerson && cookies && server.hasDecorator('problemPage')
    ? server.getDecorator<ProblemPage>('problemPage')
    : undefined
}

function titleOf(code: string): string {
  // Also if the database is unavailable.
  if (code === 'overloaded') return 'Service unavailable'
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Bytes that are not HTTP never reach a route: answered on the socket, in the same shape. */
const socketProblems: Readonly<Record<string, CommonProblem>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** @param headers of every reply */
export function answerClientError(headers: Readonly<Record<string, string>>, logger: FastifyBaseLogger) {
  return (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
    const code = socketProblems[error.code ?? ''] ?? 'malformed'
    const status = commonProblems[code]
    const requestId = randomUUID()
    const body = JSON.stringify({ type: 'about:blank', title: titleOf(code), status, code, requestId })
    logger.info({ reqId: requestId, status }, 'answered')
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
