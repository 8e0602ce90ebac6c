import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type RequestFault, requestFaults } from '../../provider-kit/faults.ts'
import { faults } from '../store/faults.ts'
import { type Call, inReading, type PaypalDeps, type Reading } from './call.ts'
import { type Answer, executeOnce } from './execute-once.ts'
import { isWhole } from './fields.rules.ts'
import { newDebugId } from './ids.rules.ts'
import { read } from './read.ts'
import {
  impossible,
  inProgress,
  internalError,
  invalidRequest,
  Refusal,
  tooMany,
  unsupportedMediaType,
} from './refusal.ts'

/** A request that reads. */
interface ReadingOperation<Query extends z.ZodType> {
  path: string
  query: Query
  run(call: Reading, given: { id: string; query: z.output<Query> }): Promise<object>
}

/** What a changing operation gets. */
interface Given<Body> {
  id: string
  body: Body
  /** The body as it was sent. */
  raw: string
  /** `PayPal-Request-Id` */
  requestId: string | null
  /** `Prefer: return=representation`: the whole object instead of id, status and links. */
  isWhole: boolean
}

interface Change<Body extends z.ZodType> {
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body: Body
  /** For how many hours PayPal remembers a request id; not given if it ignores the header. */
  remembers?: number
  run(call: Call, given: Given<z.output<Body>>): Promise<Answer>
  /** The answer to a repetition; the first answer if not given. */
  repeat?(call: Call, first: object, given: Given<z.output<Body>>): Promise<object>
}

/** An id with other characters cannot exist, and is not looked up in the database. */
const Params = z.object({
  id: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .default('')
    .catch('none'),
})

/** Of a request without parameters. */
export const noQuery = z.object({})

/** Of a request whose body does not matter. */
export const anyBody = z.unknown().optional()

export interface Api {
  get<Query extends z.ZodType>(operation: ReadingOperation<Query>): void
  change<Body extends z.ZodType>(operation: Change<Body>): void
}

// The usual rate limit is for people; the provider's own is simulated by faults.
const config = { rateLimit: false } as const

/** Mounts operations with PayPal's steps: media type, body, request id, transaction, reply. */
export function newApi(app: FastifyInstance, deps: PaypalDeps): Api {
  return {
    get(operation) {
      app.get(operation.path, { config }, (request, reply) =>
        withFaults(deps, { request, reply }, async () => {
          const given = {
            id: Params.parse(request.params).id,
            query: read(operation.query, request.query, 'query'),
          }
          return { status: 200, body: await inReading(deps, (call) => operation.run(call, given)) }
        }),
      )
    },
    change(operation) {
      const { method, path: url } = operation
      const handler = (request: FastifyRequest, reply: FastifyReply) =>
        withFaults(deps, { request, reply }, async (path) => {
          const raw = typeof request.body === 'string' ? request.body : ''
          const given = {
            id: Params.parse(request.params).id,
            body: read(operation.body, method === 'DELETE' ? undefined : jsonOf(request, raw), 'body'),
            raw,
            requestId: requestIdOf(request),
            isWhole: /return=representation/.test(String(request.headers.prefer ?? '')),
          }
          const answer = await executeOnce(deps, {
            requestId: operation.remembers === undefined ? null : given.requestId,
            operation: `${method} ${path}`,
            hours: operation.remembers ?? 0,
            run: (call) => operation.run(call, given),
            repeat: async (call, first) => operation.repeat?.(call, first, given) ?? first,
          })
          deps.onEvents()
          return answer
        })
      app.route({ method, url, config, handler })
    },
  }
}

interface Http {
  request: FastifyRequest
  reply: FastifyReply
}

/** Runs a request with the fault that is planned for its path. */
async function withFaults({ db }: PaypalDeps, { request, reply }: Http, run: (path: string) => Promise<Answer>) {
  const [path = ''] = request.url.split('?')
  const fault = await faults.take(db, requestFaults, path)
  if (fault?.kind === 'rate_limit') throw tooMany()
  const answer = await run(path)
  if (fault?.kind === 'delay') await pause(fault.milliseconds)
  return send(reply, answer, fault?.kind)
}

/** @throws Refusal for another media type, and for what is not JSON */
function jsonOf(request: FastifyRequest, raw: string): unknown {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) throw unsupportedMediaType()
  if (raw.trim() === '') return undefined
  try {
    return JSON.parse(raw)
  } catch {
    throw invalidRequest([
      {
        issue: 'MALFORMED_REQUEST_JSON',
        description: 'The request JSON is not well-formed.',
        field: '/',
        location: 'body',
      },
    ])
  }
}

function requestIdOf(request: FastifyRequest): string | null {
  const id = request.headers['paypal-request-id']
  if (typeof id !== 'string' || id === '') return null
  if (id.length > 108 || !isWhole(id)) {
    const description = 'The request id is too long.'
    throw invalidRequest([{ issue: 'INVALID_STRING_MAX_LENGTH', description, field: 'PayPal-Request-Id' }])
  }
  return id
}

/** Sends the reply, or a planned fault instead of it. The effect of the request stands either way. */
function send(reply: FastifyReply, { status, body }: Answer, fault: RequestFault | undefined) {
  if (fault === 'reset') {
    reply.hijack()
    return reply.raw.destroy()
  }
  if (fault === 'html') {
    const page = '<!doctype html><title>One moment</title><h1>One moment, please</h1>'
    return reply.code(200).header('content-type', 'text/html; charset=utf-8').send(page)
  }
  if (fault === 'error') throw internalError()
  reply.header('paypal-debug-id', newDebugId()).code(status)
  return status === 204 ? reply.send() : reply.send(body ?? {})
}

/** Errors of the API, in PayPal's format. */
export function answerFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(error, request)
  return reply.header('paypal-debug-id', newDebugId()).code(refusal.status).send(refusal.body)
}

function refusalOf(error: FastifyError, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  if (hasCode(error, '55P03') || hasCode(error, '40P01')) return inProgress()
  if (hasCode(error, '23505')) return impossible('DUPLICATE_INVOICE_ID', 'The invoice id was used for another payment.')
  if (error.statusCode === 415) return unsupportedMediaType()
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return invalidRequest([{ issue: 'MALFORMED_REQUEST', description: 'The request is not well-formed.' }])
  }
  request.log.error({ err: error }, 'paypal provider request failed')
  return internalError()
}

/** PostgreSQL's codes: 55P03 lock timeout, 40P01 deadlock, 23505 unique violation. */
function hasCode({ cause }: Error, code: string): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === code
}
