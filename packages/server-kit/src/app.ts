import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { stopGracefully } from './graceful-stop.ts'
import { loggedCaller } from './logged-caller.ts'
import { networkOf } from './network.ts'
import { Problem } from './problem.ts'
import { answerBusy, answerClientError, answerError, answerProblem, type ProblemPage } from './problem-replies.ts'
import { securityHeaders } from './security-headers.ts'

export interface AppOptions {
  logger: FastifyBaseLogger
  /** The program's own origin, from settings: `https://account.example.com`. */
  publicUrl: string
  /** Addresses of proxies whose `X-Forwarded-*` is trusted. */
  trustedProxies: readonly string[]
  /** Requests a minute from one network; further ones are answered 429. */
  requestsPerMinute?: number
  /** The page for people who open an address that answers with a problem. Programs always get the problem itself. */
  problemPage?: ProblemPage
  /** Requests in flight; further ones are answered 503. */
  maxInFlight?: number
  /** Milliseconds that the event loop may be late, or requests are answered 503; 0: however late it is. */
  maxEventLoopDelay?: number
}

const kilobyte = 1024

const noRateHeaders = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

/** A Fastify app with our limits, headers and problem replies, and no routes; needs neither ports nor environment. */
export async function newApp({
  logger,
  publicUrl,
  trustedProxies,
  requestsPerMinute = 1200,
  maxInFlight = 500,
  maxEventLoopDelay = 2000,
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
    // Requests on accepted connections are answered during a stop, too.
    return503OnClosing: false,
    http: {
      maxHeaderSize: 16 * kilobyte,
      // Less than `requestTimeout`: Node uses the greater of the two for the whole request.
      headersTimeout: 15_000,
      connectionsCheckingInterval: 2000,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
    clientErrorHandler: answerClientError(headers, logger),
    // A malformed address never reaches the hooks.
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
    maxEventLoopDelay,
    pressureHandler(request, reply, type, value) {
      if (!isHealth(request)) answerOverloaded(request, reply, { [type]: value })
    },
  })
  boundRequestsInFlight(app, maxInFlight)
  app.decorate('isStopping', stopGracefully(app))
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ ip }) => networkOf(ip),
    // Callers need only `Retry-After`.
    addHeaders: noRateHeaders,
    addHeadersOnExceeding: noRateHeaders,
    errorResponseBuilder: (_request, { ttl }) => new Problem('too_often', { retryAfter: Math.ceil(ttl / 1000) }),
  })
  // Counted too, so that scanners are limited.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) =>
    answerProblem(request, reply, 'not_found', 404),
  )
  logReplies(app)

  return app
}

function boundRequestsInFlight(app: FastifyInstance, most: number): void {
  let inFlight = 0
  // After the body has arrived: a slow sender must not take a place from others.
  app.addHook('preHandler', (request, reply, done) => {
    if (isHealth(request)) return done()
    inFlight += 1
    // `close` is emitted once per reply, also if the caller has disconnected.
    reply.raw.once('close', () => {
      inFlight -= 1
    })
    if (inFlight > most) answerOverloaded(request, reply, { inFlight })
    else done()
  })
}

/** @param measured what was too much, for the log */
function answerOverloaded(request: FastifyRequest, reply: FastifyReply, measured: Readonly<Record<string, unknown>>) {
  request.log.warn({ route: request.routeOptions.url, ...measured }, 'overloaded')
  answerBusy(request, reply)
}

/** Health checks are always answered, and first. */
function isHealth(request: FastifyRequest): boolean {
  const { isHealth: marked } = request.routeOptions.config as { isHealth?: boolean }
  return marked === true
}

/** RFC 9112 §3.2: it is undefined which of two applies. */
function hasTwoHosts({ raw }: FastifyRequest): boolean {
  let hosts = 0
  // Names and values alternate. `headers` would show only one of two.
  for (let place = 0; place < raw.rawHeaders.length; place += 2) {
    const name = raw.rawHeaders[place]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** One line per request, with who is signed in. The route, not the address: addresses contain tickets. */
function logReplies(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log[isHealth(request) ? 'debug' : 'info'](
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
        ...loggedCaller(request),
      },
      'answered',
    )
    done()
  })
}
