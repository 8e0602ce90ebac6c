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
import { Problem } from './problem.ts'
import { answerClientError, answerError, answerOverload, answerProblem } from './problem-replies.ts'
import { securityHeaders } from './security-headers.ts'

interface AppOptions {
  logger: FastifyBaseLogger
  /** Our own origin, from settings: `https://account.example.com`. */
  publicUrl: string
  /** Addresses of proxies whose `X-Forwarded-*` is believed. */
  trustedProxies: readonly string[]
  /** Requests a minute from one address before a further one is answered 429. */
  requestsPerMinute?: number
  /** For a browser at an address that is none; without it, and for programs, the problem. */
  notFoundPage?(request: FastifyRequest, reply: FastifyReply): unknown
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
  notFoundPage,
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
    http: { maxHeaderSize: 16 * kilobyte },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
    clientErrorHandler: answerClientError(headers),
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
  app.setNotFoundHandler((request, reply) => {
    const isPerson = request.method === 'GET' && request.headers.accept?.includes('text/html')
    return isPerson && notFoundPage ? notFoundPage(request, reply) : answerProblem(request, reply, 'not_found', 404)
  })

  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  await app.register(cookie)
  await app.register(underPressure, {
    maxEventLoopDelay: 2000,
    pressureHandler(request, reply) {
      if (!isHealth(request)) answerOverload(request, reply)
    },
  })
  boundRequestsInFlight(app, maxInFlight)
  endConnections(app)
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
  // Once the body is there: a caller that is slow to send it holds no place that others need.
  app.addHook('preHandler', (request, reply, done) => {
    if (isHealth(request)) return done()
    inFlight += 1
    // `close` comes once for every reply, also for one whose caller went away.
    reply.raw.once('close', () => {
      inFlight -= 1
    })
    if (inFlight > most) answerOverload(request, reply)
    else done()
  })
}

/** Of what a stop may take in all (`run.ts`). */
const stopMilliseconds = 3000

/** A stop waits for replies, not for connections: one that is kept alive, or was opened ahead, would hold it for a minute. */
function endConnections(app: FastifyInstance): void {
  let underWay = 0
  app.addHook('onRequest', (_request, reply, done) => {
    underWay += 1
    reply.raw.once('close', () => {
      underWay -= 1
    })
    done()
  })
  app.addHook('preClose', async () => {
    const givenUp = Date.now() + stopMilliseconds
    // Beside the stop, which by then takes no further connections.
    const timer = setInterval(() => {
      if (underWay > 0 && Date.now() < givenUp) return
      clearInterval(timer)
      app.server.closeAllConnections()
    }, 20)
  })
}

/** Whoever watches us is answered first, and always. */
function isHealth(request: FastifyRequest): boolean {
  const { isHealth: marked } = request.routeOptions.config as { isHealth?: boolean }
  return marked === true
}

function logReplies(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
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
    done()
  })
}
