import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@atrium/contract/endpoint.ts'
import { commonProblems, type ProblemDocument } from '@atrium/contract/problem.ts'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { Problem } from './problem.ts'
import { securityHeaders } from './security-headers.ts'

interface AppOptions {
  logger: FastifyBaseLogger
  /** Our own origin, from settings: `https://account.example.com`. */
  publicUrl: string
  /** Addresses of proxies whose `X-Forwarded-*` is believed. */
  trustedProxies: readonly string[]
  /** Requests a minute from one address before a further one is answered 429. */
  requestsPerMinute?: number
  /** Requests in flight before a further one is answered 503. */
  maxInFlight?: number
}

const kilobyte = 1024

/** A Fastify app with our limits, headers and problem replies, and no routes: pure of ports and environment. */
export async function newApp({
  logger,
  publicUrl,
  trustedProxies,
  requestsPerMinute = 1200,
  maxInFlight = 500,
}: AppOptions): Promise<FastifyInstance> {
  const headers = securityHeaders(publicUrl)
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: () => randomUUID(),
    bodyLimit: 256 * kilobyte,
    // Fastify leaves both off.
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    // A stop waits for requests in flight; idle connections must not hold it up.
    forceCloseConnections: 'idle',
    http: { maxHeaderSize: 16 * kilobyte },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
    clientErrorHandler: answerClientError,
    // An address that is none never reaches the hooks.
    frameworkErrors(error, request, reply) {
      reply.headers(headers)
      answerError(error, request, reply)
    },
  })

  app.decorate('publicOrigin', new URL(publicUrl).origin)
  // JSON only: a cross-site form cannot send it.
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => answerProblem(request, reply, 'not_found', 404))

  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
  await app.register(cookie)
  await app.register(underPressure, {
    maxEventLoopDelay: 2000,
    pressureHandler(request, reply) {
      answerOverload(request, reply)
    },
  })
  boundRequestsInFlight(app, maxInFlight)
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: 60_000,
    errorResponseBuilder: (_request, { ttl }) => new Problem('too_often', { retryAfter: Math.ceil(ttl / 1000) }),
  })
  logReplies(app)

  return app
}

function boundRequestsInFlight(app: FastifyInstance, most: number): void {
  let inFlight = 0
  app.addHook('onRequest', async (request, reply) => {
    inFlight += 1
    // `close` comes once for every reply, also for one whose caller went away.
    reply.raw.once('close', () => {
      inFlight -= 1
    })
    if (inFlight > most) return answerOverload(request, reply)
  })
}

function answerOverload(request: FastifyRequest, reply: FastifyReply) {
  reply.header('retry-after', '2')
  return answerProblem(request, reply, 'overloaded', 503)
}

function logReplies(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug(
      {
        method: request.method,
        // The route, not the address: addresses carry tickets.
        route: request.routeOptions.url,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
}

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

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
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

/** No connection came free within the pool's second, or a statement or lock ran into its limit. */
function isPoolExhausted(error: unknown): boolean {
  const chain = error instanceof Error && error.cause instanceof Error ? [error, error.cause] : [error]
  return chain.some(
    (link) =>
      link instanceof Error &&
      (link.message.includes('timeout exceeded when trying to connect') ||
        ('code' in link && typeof link.code === 'string' && ['57014', '55P03', '53300'].includes(link.code))),
  )
}

function answerProblem(request: FastifyRequest, reply: FastifyReply, code: string, status: number, problem?: Problem) {
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

function answerClientError(error: NodeJS.ErrnoException, socket: import('node:net').Socket) {
  if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
  const code = socketProblems[error.code ?? ''] ?? 'malformed'
  const status = commonProblems[code]
  const body = JSON.stringify({ type: 'about:blank', title: titleOf(code), status, code, requestId: randomUUID() })
  socket.end(
    `HTTP/1.1 ${status} ${titleOf(code)}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
  )
}
