import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { declaredProblem, type Endpoint } from '@atrium/contract/endpoint.ts'
import { commonProblems, type ProblemDocument } from '@atrium/contract/problem.ts'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { CommitOutcomeUnknown, driverError, isDatabaseUnavailable } from './database-failure.ts'
import { prefersHtml } from './prefers-html.ts'
import { Problem } from './problem.ts'

type CommonProblem = keyof typeof commonProblems

/** What a page says of a problem to a person who came by an address, not by our own page. */
export type ProblemPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: { code: string; status: number },
) => unknown

/** Refusals of Fastify and its plugins, whatever their error is called, by the status they ask for. */
const refusals: Readonly<Record<number, CommonProblem>> = {
  400: 'malformed',
  // A file that must not be read is as good as none.
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

/** Where the status says less than the code. */
const refusalsByCode: Readonly<Record<string, CommonProblem>> = { FST_ERR_MAX_PARAM_LENGTH: 'not_found' }

/** Answers with the problem that was thrown, if it was declared; anything else is a bug: logged, and 500. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof Problem) {
    const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint }
    const common: Readonly<Record<string, number>> = commonProblems
    const { status = common[error.code], data } = endpoint ? declaredProblem(endpoint, error.code) : {}
    // The schema is the list of what may leave; nothing declared, nothing leaves.
    const parsed = data?.safeParse(error.details.data)
    if (parsed?.error) {
      // In the log its stack says who threw it, and its cause what does not fit.
      error.cause = parsed.error
      return answerBug(request, reply, error)
    }
    if (status) {
      if (error.cause) request.log.warn({ err: error.cause, code: error.code }, 'failed elsewhere')
      return answerProblem(request, reply, error.code, status, { ...error.details, data: parsed?.data })
    }
  }
  const { statusCode = 500 } = error
  if (error instanceof CommitOutcomeUnknown) return answerBusy(request, reply, 'outcome_unknown')
  // A caller that goes away in the middle of its body has a network error too, and Fastify's status.
  if (!isRefusal(statusCode) && isDatabaseUnavailable(error)) {
    // One line, and no more: while a database is away there is one for every request.
    request.log.warn({ route: request.routeOptions.url, reason: driverError(error) }, 'database unavailable')
    return answerBusy(request, reply)
  }

  const code = refusalsByCode[error.code] ?? refusals[statusCode] ?? (isRefusal(statusCode) ? 'malformed' : undefined)
  if (code) return answerProblem(request, reply, code, commonProblems[code])

  return answerBug(request, reply, error)
}

function answerBug(request: FastifyRequest, reply: FastifyReply, error: Error) {
  request.log.error({ err: error, route: request.routeOptions.url }, 'undeclared failure')
  return answerProblem(request, reply, 'internal', 500)
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500
}

/** We cannot at the moment: come back in a few seconds. */
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

/** A person who followed an address gets a page, a program the problem. */
function pageFor({ method, headers, cookies, server }: FastifyRequest): ProblemPage | undefined {
  const isPerson = (method === 'GET' || method === 'HEAD') && prefersHtml(headers.accept)
  // An address that cannot be read never reaches the hook that reads cookies.
  return isPerson && cookies && server.hasDecorator('problemPage')
    ? server.getDecorator<ProblemPage>('problemPage')
    : undefined
}

function titleOf(code: string): string {
  // Also where it is the database that is away.
  if (code === 'overloaded') return 'Service unavailable'
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A request that is no HTTP never reaches a route: answered here, in the same shape, on the bare socket. */
const socketProblems: Readonly<Record<string, CommonProblem>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** @param headers what every reply carries */
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
