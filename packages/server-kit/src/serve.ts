import type { Endpoint, EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import { memberHeader } from '@atrium/contract/problem.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Member, Visitor } from './caller.ts'
import { type IdempotencyKey, idempotencyKeyOf } from './idempotency-key.ts'
import { refuseForeignOrigin } from './origin.ts'
import { Problem } from './problem.ts'
import { refuseBrokenText } from './text.ts'

/** Identifies the caller. Set once with `app.decorate('identify', …)`. */
type Identify = (request: FastifyRequest) => Promise<Member | undefined>

type Caller<Definition extends Endpoint> = Definition extends { access: 'anyone' | 'device' } ? Visitor : Member

type Handle<Definition extends Endpoint> = (
  input: EndpointInput<Definition>,
  caller: Caller<Definition>,
  http: { request: FastifyRequest; reply: FastifyReply; idempotencyKey: IdempotencyKey | undefined },
) => EndpointAnswer<Definition> | Promise<EndpointAnswer<Definition>>

/** Mounts an endpoint: identify the caller → parse the input → handle → parse the output. */
export function serve<Definition extends Endpoint>(
  app: FastifyInstance,
  endpoint: Definition,
  handle: Handle<Definition>,
): void {
  const caching = endpoint.cacheSeconds ? `public, max-age=${endpoint.cacheSeconds}` : 'no-store'

  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    async handler(request, reply) {
      if (endpoint.method !== 'GET' && endpoint.access !== 'device') refuseForeignOrigin(app, request)

      const caller = isOpen(endpoint) ? visitor(request) : await member(app, request)
      const input = {
        ...part(endpoint.params, 'params', request.params),
        ...part(endpoint.query, 'query', request.query),
        ...part(endpoint.body, 'body', request.body),
      }

      const http = { request, reply, idempotencyKey: idempotencyKeyOf(request) }
      // The two wire adapters (this and `call`) are the only places where types are asserted for values that were just parsed.
      const answer = await handle(input as EndpointInput<Definition>, caller as Caller<Definition>, http)
      reply.header('cache-control', caching)
      return endpoint.reply.parse(answer)
    },
  })
}

function isOpen({ access }: Endpoint): boolean {
  return access === 'anyone' || access === 'device'
}

export function visitor(request: FastifyRequest): Visitor {
  return { address: request.ip, requestId: request.id }
}

async function member(app: FastifyInstance, request: FastifyRequest): Promise<Member> {
  const identify = app.getDecorator<Identify>('identify')
  const found = await identify(request)
  if (!found) throw new Problem('signed_out')
  const expected = request.headers[memberHeader]
  if (expected !== undefined && expected !== found.id) throw new Problem('another_member')
  return found
}

function part(
  schema: Endpoint['params'] | Endpoint['body'],
  name: 'params' | 'query' | 'body',
  value: unknown,
): object {
  if (!schema) return {}
  refuseBrokenText(value, name)

  const parsed = schema.safeParse(value ?? {})
  if (!parsed.success) throw invalid(name, parsed.error)
  return { [name]: parsed.data }
}

function invalid(name: string, error: z.ZodError): Problem {
  const errors = error.issues.map((issue) => ({
    path: [name, ...issue.path].join('.'),
    // A schema may name its own codes (`too_long`); otherwise the message is zod's sentence.
    code: /^[a-z0-9_]+$/.test(issue.message) ? issue.message : issue.code,
    message: issue.message,
  }))
  return new Problem('invalid', { errors })
}
