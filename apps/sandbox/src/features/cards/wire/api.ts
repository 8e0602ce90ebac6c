import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@atrium/server-kit/database.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Access, accessOf } from './access.rules.ts'
import type { Call } from './call.ts'
import { expanded } from './expand.ts'
import { requestFaults, takeFault } from './faults.ts'
import { decodeForm, type GivenObject } from './form.rules.ts'
import { claimKey, releaseKey, type SavedReply, saveReply } from './idempotency.ts'
import { newId } from './ids.rules.ts'
import { list, text } from './parameters.rules.ts'
import { readParameters } from './read-parameters.ts'
import { invalidRequest, Refusal } from './refusal.ts'
import { answer, answerRefusal } from './reply.ts'

export interface ApiDeps {
  db: Db
  clock: () => Date
  publicUrl: string
  /** Called after a request that may have caused events. */
  onEvents(): void
}

interface Operation<Shape extends z.ZodRawShape> {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below `/v1`. */
  path: string
  /** Every parameter there is, beside `expand`. */
  takes: Shape
  /** A publishable key is enough; what it shows and needs is the operation's business. */
  isForBrowsers?: boolean
  /** A refusal that is returned keeps what was done; one that is thrown undoes it. */
  run(call: Call, given: z.output<z.ZodObject<Shape, z.core.$strict>>, params: Params): Promise<object>
}

interface Params {
  id: string
  inner: string
}

const Expansion = z.strictObject({ expand: list(text()).default([]) })

/** An id that is no word is nobody's, and nothing that a database should be asked. */
const Id = z.string().regex(/^\w+$/).default('').catch('none')
const Params = z.object({ id: Id, inner: Id })

export interface Api {
  serve<Shape extends z.ZodRawShape>(operation: Operation<Shape>): void
}

/** Mounts operations as the provider answers them: key, parameters, idempotency, transaction, expansion, reply. */
export function newApi(app: FastifyInstance, deps: ApiDeps): Api {
  return {
    serve(operation) {
      const schema = z.strictObject(operation.takes)
      app.route({
        method: operation.method,
        url: operation.path,
        // The page's own limits are for people; the provider's are played by faults.
        config: { rateLimit: false },
        async handler(request, reply) {
          const asked = ask(request, operation.isForBrowsers ?? false)
          reply.header('request-id', asked.requestId)
          const fault = await takeFault(deps.db, requestFaults, asked.path)
          if (fault?.kind === 'rate_limit') return answerRefusal(reply, tooMany())

          const saved = await carriedOut(deps, asked, async (call) => {
            const { expand: wanted, ...rest } = asked.given
            const { expand } = readParameters(Expansion, wanted === undefined ? {} : { expand: wanted })
            const result = await operation.run(call, readParameters(schema, rest), Params.parse(request.params))
            return result instanceof Refusal ? result : expanded(call.tx, result, expand)
          })
          if (operation.method !== 'GET') deps.onEvents()
          if (fault?.kind === 'delay') await pause(fault.milliseconds)
          return answer(reply, { ...saved, fault: fault?.kind, isReplay: saved.requestId !== asked.requestId })
        },
      })
    },
  }
}

interface Asked {
  access: Access
  /** Below `/v1`, without the query. */
  path: string
  form: string
  given: GivenObject
  idempotencyKey: string | null
  requestId: string
}

/** @throws Refusal for a key or a form that is none */
function ask(request: FastifyRequest, isForBrowsers: boolean): Asked {
  const [address = '', query = ''] = request.url.split('?')
  const form = typeof request.body === 'string' && request.method !== 'GET' ? request.body : query
  const decoded = decodeForm(form)
  if (!decoded) throw invalidRequest('Invalid request: the parameters cannot be decoded.')
  const { key: browserKey, ...given } = decoded

  const access = accessOf(request.headers.authorization, typeof browserKey === 'string' ? browserKey : undefined)
  if (access === 'publishable' && !isForBrowsers) {
    throw invalidRequest('This API call cannot be made with a publishable API key. Use a secret API key.', {
      code: 'secret_key_required',
      status: 401,
    })
  }
  const key = request.headers['idempotency-key']
  return {
    access,
    path: address.replace(/^\/v1/, '').replace(/\/$/, ''),
    form,
    given,
    idempotencyKey: request.method === 'POST' && typeof key === 'string' && key !== '' ? key : null,
    requestId: newId('req_'),
  }
}

/** Runs a request once for its idempotency key, in one transaction with the reply that is kept for the next time. */
async function carriedOut(
  { db, clock, publicUrl }: ApiDeps,
  { access, path, form, idempotencyKey, requestId }: Asked,
  run: (call: Call) => Promise<object>,
): Promise<SavedReply> {
  const now = clock()
  if (idempotencyKey !== null) {
    const use = { key: idempotencyKey, path: `/v1${path}`, parameters: form, requestId, now }
    const earlier = await claimKey(db, use)
    if (earlier) return earlier
  }
  try {
    return await db.transaction(async (tx) => {
      const result = await run({ tx, now, requestId, idempotencyKey, access, publicUrl })
      const saved =
        result instanceof Refusal
          ? { status: result.status, body: { error: result.body }, requestId }
          : { status: 200, body: result, requestId }
      if (idempotencyKey !== null) await saveReply(tx, idempotencyKey, saved)
      return saved
    })
  } catch (error) {
    if (idempotencyKey !== null) await releaseKey(db, idempotencyKey)
    throw error
  }
}

function tooMany(): Refusal {
  return invalidRequest('Too many requests hit the API too quickly. Wait longer between requests.', {
    code: 'rate_limit',
    status: 429,
  })
}

/** Everything that never reaches an operation, in the provider's shape. */
export function answerFailure(error: Error, request: FastifyRequest, reply: FastifyReply) {
  if (!reply.hasHeader('request-id')) reply.header('request-id', newId('req_'))
  if (error instanceof Refusal) return answerRefusal(reply, error)
  if (isLocked(error)) {
    const message = 'This object cannot be accessed right now because another request is working on it.'
    return answerRefusal(reply, invalidRequest(message, { code: 'lock_timeout', status: 429 }))
  }
  if ('statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500) {
    return answerRefusal(reply, invalidRequest('Invalid request: send parameters form-encoded.', { status: 400 }))
  }
  request.log.error({ err: error }, 'card provider')
  return answerRefusal(reply, new Refusal(500, { type: 'api_error', message: 'An unknown error occurred.' }))
}

/** PostgreSQL's names for a lock that did not come in time, and for two that waited for each other. */
function isLocked({ cause }: Error): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === '55P03' || cause.code === '40P01')
}
