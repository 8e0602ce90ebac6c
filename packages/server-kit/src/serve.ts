import {
  type CallLimit,
  type Endpoint,
  type EndpointAnswer,
  type EndpointInput,
  needsFreshSignIn,
} from '@atrium/contract/endpoint.ts'
import { memberHeader } from '@atrium/contract/problem.ts'
import { supportPath } from '@atrium/contract/support-sessions.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Member, Visitor } from './caller.ts'
import { type IdempotencyKey, idempotencyKeyOf } from './idempotency-key.ts'
import { refuseForeignOrigin, refuseOtherSites } from './origin.ts'
import { Problem } from './problem.ts'
import { refuseBrokenText } from './text.ts'

/** Identifies the caller. Set once with `app.decorate('identify', …)`. */
type Identify = (request: FastifyRequest, how?: { isPolled?: boolean | undefined }) => Promise<Member | undefined>

/** Identifies a support agent as the member who lets them in. Set with `app.decorate('identifySupport', …)` where there are any. */
type IdentifySupport = (request: FastifyRequest) => Promise<Member | undefined>

/** Takes one from the calls that somebody may send. Set with `app.decorate('limitCalls', …)` where an endpoint has a limit. */
export type LimitCalls = (limit: CallLimit, caller: string) => Promise<void>

type Caller<Definition extends Endpoint> = Definition extends { access: 'anyone' | 'device' } ? Visitor : Member

type Handle<Definition extends Endpoint> = (
  input: EndpointInput<Definition>,
  caller: Caller<Definition>,
  http: { request: FastifyRequest; reply: FastifyReply; idempotencyKey: IdempotencyKey | undefined },
) => EndpointAnswer<Definition> | Promise<EndpointAnswer<Definition>>

/**
 * Mounts an endpoint: identify the caller → parse the input → handle → parse the output. Where there is support, also below
 * `/support`, for what its agents may read; the rest is refused there.
 */
export function serve<Definition extends Endpoint>(
  app: FastifyInstance,
  endpoint: Definition,
  handle: Handle<Definition>,
): void {
  const caching = endpoint.cacheSeconds ? `public, max-age=${endpoint.cacheSeconds}` : 'no-store'

  async function answer(request: FastifyRequest, reply: FastifyReply, caller: Visitor | Member): Promise<unknown> {
    const input = {
      ...part(endpoint.params, 'params', request.params),
      ...part(endpoint.query, 'query', request.query),
      ...part(endpoint.body, 'body', request.body),
    }

    const http = { request, reply, idempotencyKey: idempotencyKeyOf(request) }
    // The two wire adapters (this and `call`) are the only places where types are asserted for values that were just parsed.
    const answered = await handle(input as EndpointInput<Definition>, caller as Caller<Definition>, http)
    reply.header('cache-control', caching)
    if (endpoint.mediaType) reply.type(endpoint.mediaType)
    return endpoint.reply.parse(answered)
  }

  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    async handler(request, reply) {
      if (endpoint.method !== 'GET' && endpoint.access !== 'device') refuseForeignOrigin(app, request)
      if (endpoint.changesState) refuseOtherSites(request)
      return answer(request, reply, isOpen(endpoint) ? visitor(request) : await member(app, request, endpoint))
    },
  })

  if (!isMirrored(app, endpoint)) return
  app.route({
    method: endpoint.method,
    url: `${supportPath}${endpoint.path}`,
    config: { endpoint },
    async handler(request, reply) {
      const seen = await memberOfSupport(app, request)
      if (!isReadBySupport(endpoint)) throw new Problem('support_read_only')
      // What support reads takes nothing from the member.
      await takeFrom(app, endpoint, `support ${seen.id}`)
      return withoutAddresses(await answer(request, reply, seen))
    },
  })
}

function isMirrored(app: FastifyInstance, { access, path }: Endpoint): boolean {
  return app.hasDecorator('identifySupport') && access !== 'device' && !path.startsWith(`${supportPath}/`)
}

/** Whether a support agent may call it. A declaration on anything but a GET has no effect. */
export function isReadBySupport({ method, support }: Endpoint): boolean {
  return method === 'GET' && support === 'read'
}

/**
 * A reply without the addresses of other programs and of providers, which may open something in the member's name.
 * Paths of our own and pictures (`data:`) stay.
 */
function withoutAddresses(value: unknown): unknown {
  if (typeof value === 'string') return /^https?:/i.test(value) ? '' : value
  if (Array.isArray(value)) return value.map(withoutAddresses)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutAddresses(part)]))
}

function isOpen({ access }: Endpoint): boolean {
  return access === 'anyone' || access === 'device'
}

export function visitor(request: FastifyRequest): Visitor {
  return { address: request.ip, requestId: request.id }
}

async function member(app: FastifyInstance, request: FastifyRequest, endpoint: Endpoint): Promise<Member> {
  const identify = app.getDecorator<Identify>('identify')
  const found = await identify(request, { isPolled: endpoint.isPolled })
  if (!found) throw new Problem('signed_out')
  const caller = expected(found, request)
  if (needsFreshSignIn(endpoint) && !caller.isFresh) throw new Problem('fresh_sign_in_required')
  await takeFrom(app, endpoint, caller.id)
  return caller
}

/** @throws Problem `too_often` */
async function takeFrom(app: FastifyInstance, { limit }: Endpoint, caller: string): Promise<void> {
  if (limit) await app.getDecorator<LimitCalls>('limitCalls')(limit, caller)
}

async function memberOfSupport(app: FastifyInstance, request: FastifyRequest): Promise<Member> {
  const identify = app.getDecorator<IdentifySupport>('identifySupport')
  const found = await identify(request)
  if (!found) throw new Problem('support_ended')
  return expected(found, request)
}

/** @throws Problem `another_member` if the page was loaded for another one */
function expected(found: Member, request: FastifyRequest): Member {
  const wanted = request.headers[memberHeader]
  if (wanted !== undefined && wanted !== found.id) throw new Problem('another_member')
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
