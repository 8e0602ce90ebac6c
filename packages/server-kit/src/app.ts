import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { stopGracefully } from './graceful-stop.ts'
import { networkOf } from './network.ts'
import { Problem } from './problem.ts'
import { answerBusy, answerClientError, answerError, answerProblem, type ProblemPage } from './problem-replies.ts'
import { securityHeaders } from './security-headers.ts'

interface AppOptions {
  logger: FastifyBaseLogger
  /** Our own origin, from settings: `https://account.example.com`. */
  publicUrl: string
  /** Addresses of proxies whose `X-Forwarded-*` is believed. */
  trustedProxies: readonly string[]
  /** Requests a minute from one address before a further one is answered 429. */
  requestsPerMinute?: number
  /** For people who follow an address to a problem; without it, and for programs, the problem itself. */
  problemPage?: ProblemPage
  /** Requests in flight before a further one is answered 503. */
  maxInFlight?: number
}

const kilobyte = 1024

const noRateHeaders = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

/** A Fastify app with our limits, headers and problem replies, and no routes: pure of ports and environment. */
export async function newApp({
  logger,
  publicUrl,
  trustedProxies,
  requestsPerMinute = 1200,
  maxInFlight = 500,
  problemPage,
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
    forceCloseConnections: 'idle',
    // What comes on a connection that we took is answered, also while we stop.
    return503OnClosing: false,
    http: {
      maxHeaderSize: 16 * kilobyte,
      // Less than `requestTimeout`: Node takes the greater of the two for the whole request.
      headersTimeout: 15_000,
      connectionsCheckingInterval: 2000,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
    clientErrorHandler: answerClientError(headers, logger),
    // An address that cannot be read never reaches the hooks.
    frameworkErrors(error, request, reply) {
      reply.headers(headers)
      answerError(error, request, reply)
      request.log.info({ method: request.method, status: reply.statusCode }, 'answered')
    },
  })

  app.decorate('publicOrigin', new URL(publicUrl).origin)
  if (problemPage) app.decorate('problemPage', problemPage)
  // JSON only: a cross-site form cannot send it.
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(answerError)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    done(hasTwoHosts(request) ? new Problem('malformed') : undefined)
  })
  await app.register(cookie)
  await app.register(underPressure, {
    maxEventLoopDelay: 2000,
    pressureHandler(request, reply) {
      if (!isHealth(request)) answerBusy(request, reply)
    },
  })
  boundRequestsInFlight(app, maxInFlight)
  app.decorate('isStopping', stopGracefully(app))
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ ip }) => networkOf(ip),
    // What is left is nobody's to plan with; `Retry-After` says all that a caller needs.
    addHeaders: noRateHeaders,
    addHeadersOnExceeding: noRateHeaders,
    errorResponseBuilder: (_request, { ttl }) => new Problem('too_often', { retryAfter: Math.ceil(ttl / 1000) }),
  })
  // Counted too: who walks through addresses is not free to go on.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) =>
    answerProblem(request, reply, 'not_found', 404),
  )
  logReplies(app)

  return app
}

function boundRequestsInFlight(app: FastifyInstance, most: number): void {
  let inFlight = 0
  // Once the body is there: a caller that is slow to send it holds no place that others need.
  app.addHook('preHandler', (request, reply, done) => {
    if (isHealth(request)) return done()
    inFlight += 1
    // `close` comes once for every reply, also for one whose caller went away.
    reply.raw.once('close', () => {
      inFlight -= 1
    })
    if (inFlight > most) answerBusy(request, reply)
    else done()
  })
}

/** Whoever watches us is answered first, and always. */
function isHealth(request: FastifyRequest): boolean {
  const { isHealth: marked } = request.routeOptions.config as { isHealth?: boolean }
  return marked === true
}

/** RFC 9112 §3.2: which of two would be ours is anybody's guess. */
function hasTwoHosts({ raw }: FastifyRequest): boolean {
  let hosts = 0
  // Names and values in turn, as they came: of two, Node shows one.
  for (let place = 0; place < raw.rawHeaders.length; place += 2) {
    const name = raw.rawHeaders[place]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** One line a request. The route, not the address: addresses carry tickets. */
function logReplies(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log[isHealth(request) ? 'debug' : 'info'](
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
      },
      'answered',
    )
    done()
  })
}
