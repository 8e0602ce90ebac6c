import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { requestFaults } from '../../provider-kit/faults.ts'
import { faults } from '../store/faults.ts'
import { type Access, callerOf, refuseForeignAccount } from '../wire/access.rules.ts'
import { decodeForm, type GivenObject } from '../wire/form.rules.ts'
import { newId } from '../wire/ids.rules.ts'
import { list, text } from '../wire/parameters.rules.ts'
import { readParameters } from '../wire/read-parameters.ts'
import { invalidRequest, Refusal, unknownError } from '../wire/refusal.ts'
import type { ApiDeps, Call } from './call.ts'
import { executeOnce } from './execute-once.ts'
import { expanded, refuseHiddenPaths } from './expand.ts'
import { ownAccount, refuseKey } from './keys.ts'
import { answer, answerRefusal } from './reply.ts'

interface Operation<Shape extends z.ZodRawShape> {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below `/v1`. */
  path: string
  /** All parameters except `expand`. */
  takes: Shape
  /** A publishable key may send these parameters; the operation itself checks its client secret. */
  forBrowsers?: readonly (keyof Shape & string)[]
  /** Commits if a refusal is returned; rolls back if one is thrown. */
  run(call: Call, given: Given<Shape>, params: { id: string }): Promise<object>
}

const Expansion = z.strictObject({ expand: list(text()).default([]) })

/** An id with other characters cannot exist, and is not looked up in the database. */
const Id = z
  .string()
  .regex(/^[\w-]+$/)
  .default('')
  .catch('none')
const Params = z.object({ id: Id })

type Given<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape, z.core.$strict>>

export interface Api {
  serve<Shape extends z.ZodRawShape>(operation: Operation<Shape>): void
  /** What a server does with one object: a POST to its address, or below. */
  change<Shape extends z.ZodRawShape>(
    path: `${string}/:id${string}`,
    takes: Shape,
    run: (call: Call, id: string, given: Given<Shape>) => Promise<object>,
  ): void
}

/** Mounts operations with the steps of the provider: key, parameters, idempotency, transaction, expansion, reply. */
export function newApi(app: FastifyInstance, deps: ApiDeps): Api {
  const api: Api = {
    serve(operation) {
      const schema = z.strictObject(operation.takes)
      app.route({
        method: operation.method,
        url: operation.path,
        // The usual rate limit is for people; the provider's own is simulated by faults.
        config: { rateLimit: false },
        async handler(request, reply) {
          const asked = ask(request, operation.forBrowsers)
          reply.header('request-id', asked.requestId)
          if (asked.access === 'secret') await refuseKey(deps.db, { ...asked, method: operation.method })
          const fault = await faults.take(deps.db, requestFaults, asked.path)
          if (fault?.kind === 'rate_limit') return answerRefusal(reply, tooMany())

          const given = readParameters(schema, asked.given)
          const saved = await executeOnce(deps, {
            ...asked,
            breaks: fault?.kind === 'error',
            async run(call) {
              const result = await operation.run(call, given, Params.parse(request.params))
              return result instanceof Refusal ? result : expanded(call, result, asked.expand)
            },
          })
          if (operation.method !== 'GET') deps.onEvents()
          if (fault?.kind === 'delay') await pause(fault.milliseconds)
          return answer(reply, { ...saved, fault: fault?.kind, isReplay: saved.requestId !== asked.requestId })
        },
      })
    },
    change(path, takes, run) {
      api.serve({ method: 'POST', path, takes, run: (call, given, { id }) => run(call, id, given) })
    },
  }
  return api
}

interface Asked {
  access: Access
  key: string
  /** Below `/v1`, without the query. */
  path: string
  form: string
  given: GivenObject
  expand: string[]
  idempotencyKey: string | null
  requestId: string
}

/** @throws Refusal for an invalid key or form, and for what a publishable key must not do */
function ask(request: FastifyRequest, forBrowsers: readonly string[] | undefined): Asked {
  const [address = '', query = ''] = request.url.split('?')
  // The SDK sends the parameters of a deletion in the address, with an empty body.
  const form =
    typeof request.body === 'string' && request.body !== '' && request.method !== 'GET' ? request.body : query
  const decoded = decodeForm(form)
  if (!decoded) throw invalidRequest('Invalid request: the parameters cannot be decoded.')
  const { key: browserKey, expand: wanted, ...given } = decoded

  const { access, key: callersKey } = callerOf({
    authorization: request.headers.authorization,
    parameter: typeof browserKey === 'string' ? browserKey : undefined,
    isPage: request.headers.origin !== undefined,
  })
  refuseForeignAccount(request.headers['stripe-account'], ownAccount, callersKey)
  if (access === 'publishable') refuseServersPart(Object.keys(given), forBrowsers)
  const { expand } = readParameters(Expansion, wanted === undefined ? {} : { expand: wanted })
  if (access === 'publishable') refuseHiddenPaths(expand)
  const key = request.headers['idempotency-key']
  return {
    access,
    key: callersKey,
    path: address.replace(/^\/v1/, '').replace(/\/$/, ''),
    form,
    given,
    expand,
    idempotencyKey: request.method === 'POST' && typeof key === 'string' && key !== '' ? key : null,
    requestId: newId('req_'),
  }
}

/** @throws Refusal for a call or parameter that requires a secret key */
function refuseServersPart(names: readonly string[], forBrowsers: readonly string[] | undefined): void {
  if (!forBrowsers) {
    throw invalidRequest('This API call cannot be made with a publishable API key. Use a secret API key.', {
      code: 'secret_key_required',
      status: 401,
    })
  }
  const param = names.find((name) => !forBrowsers.includes(name))
  if (param !== undefined) {
    throw invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
}

function tooMany(): Refusal {
  return invalidRequest('Too many requests hit the API too quickly. Wait longer between requests.', {
    code: 'rate_limit',
    status: 429,
  })
}

/** Errors outside of operations, in the provider's format. */
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
  request.log.error({ err: error }, 'card provider request failed')
  return answerRefusal(reply, unknownError())
}

/** PostgreSQL's codes for a lock timeout and a deadlock. */
function isLocked({ cause }: Error): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === '55P03' || cause.code === '40P01')
}
