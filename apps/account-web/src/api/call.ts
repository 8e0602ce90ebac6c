import {
  type DataProblemCode,
  declaredProblem,
  type Endpoint,
  type EndpointReply,
  type EndpointRequest,
  type ProblemData,
} from '@atrium/contract/endpoint.ts'
import { idempotencyHeader, memberHeader, ProblemDocument } from '@atrium/contract/problem.ts'
import { supportPath } from '@atrium/contract/support-sessions.ts'
import { CallProblem, problemOf } from '@atrium/ui/call-problem.ts'
import { answersUntilNow, type SignInReason, signedInAgain, signInReason } from './signed-out.ts'

interface Options {
  signal?: AbortSignal
  /** Idempotency key (`useIdempotencyKey`): however often the request is sent with it, it takes effect once. */
  key?: string
  /** Whoever is signed in now may answer; otherwise another member's page is loaded. */
  isForAnyMember?: boolean | undefined
}

interface RequestParts {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

/** Without anything to send, the request may be left out. */
type Sent<Definition extends Endpoint> =
  unknown extends EndpointRequest<Definition>
    ? [request?: RequestParts, options?: Options]
    : [request: EndpointRequest<Definition>, options?: Options]

let memberId: string | undefined

/** Sends the page's member with every call, so that nothing is written to another account. */
export function callAs(id: string): void {
  memberId = id
}

let basePath = ''

/** Sends every call below this path: a support agent's page is loaded from there, and so is its data. */
export function callBelow(path: string): void {
  basePath = path
}

/** After which a server that does not respond counts as unreachable. */
const timeoutMs = 30_000

/**
 * Calls an endpoint; the only fetch of the page. Throws a `CallProblem`. If the session has ended, or the sign-in is too old for the
 * call, waits until the same person is signed in again, then repeats the call: once for each of both reasons.
 */
export async function call<const Definition extends Endpoint>(
  endpoint: Definition,
  ...[sent, options]: Sent<Definition>
): Promise<EndpointReply<Definition>> {
  // The browser's wire adapter: `Sent` typed it by the endpoint's schemas.
  const request = sent as RequestParts | undefined
  const answered = new Set<SignInReason>()
  for (;;) {
    const answersBefore = answersUntilNow()
    try {
      return await callOnce(endpoint, request, options)
    } catch (problem) {
      const reason = signInReason(problem)
      if (!reason || answered.has(reason) || endpoint.access === 'anyone') throw problem
      answered.add(reason)
      await signedInAgain(reason, answersBefore)
    }
  }
}

/** The same without waiting for signing in. */
export async function callOnce<Definition extends Endpoint>(
  endpoint: Definition,
  request: RequestParts = {},
  { signal, key, isForAnyMember = false }: Options = {},
): Promise<EndpointReply<Definition>> {
  const namesMember = endpoint.access !== 'anyone' && !isForAnyMember
  const response = await reach(belowBase(addressOf(endpoint, request)), {
    method: endpoint.method,
    headers: {
      accept: 'application/json',
      ...(endpoint.body && { 'content-type': 'application/json' }),
      ...(namesMember && memberId !== undefined && { [memberHeader]: memberId }),
      ...(key !== undefined && { [idempotencyHeader]: key }),
    },
    ...(endpoint.body && { body: JSON.stringify(request.body) }),
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
  })
  if (!response.ok) {
    const problem = await problemIn(endpoint, response)
    // Another account was signed in in another tab, and needs its own page.
    if (problem.code === 'another_member') location.reload()
    // Nothing was typed: a support agent only reads.
    if (problem.code === 'support_ended') location.replace(`${supportPath}/ended`)
    throw problem
  }

  const parsed = endpoint.reply.safeParse(await response.json().catch(() => undefined))
  // A reply that does not match the contract comes from another version of the server.
  if (!parsed.success) throw new CallProblem('outdated', { status: response.status })
  // The same adapter: the endpoint's schema just parsed the reply.
  return parsed.data as EndpointReply<Definition>
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (cause) {
    // Aborted by the page itself.
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new CallProblem('offline')
  }
}

async function problemIn(endpoint: Endpoint, response: Response): Promise<CallProblem> {
  const { status, headers } = response
  const { data: document } = ProblemDocument.safeParse(await response.json().catch(() => undefined))
  // Not from our server: probably a proxy.
  if (!document) return new CallProblem([502, 503, 504].includes(status) ? 'overloaded' : 'internal', { status })

  const parsed = declaredProblem(endpoint, document.code).data?.safeParse(document.data)
  if (parsed?.error) return new CallProblem('outdated', { status, requestId: document.requestId })
  return problemOf({ ...document, data: parsed?.data }, headers.get('retry-after'), endpoint)
}

/** The data of a failed call; undefined unless it called this endpoint and failed with one of these codes. */
export function problemData<Definition extends Endpoint, Code extends DataProblemCode<Definition>>(
  problem: unknown,
  endpoint: Definition,
  ...codes: readonly Code[]
): ProblemData<Definition, Code> | undefined {
  if (!(problem instanceof CallProblem) || problem.endpoint !== endpoint) return undefined
  // The same adapter: `problemIn` parsed it by the endpoint's schema.
  return codes.some((code) => code === problem.code) ? (problem.data as ProblemData<Definition, Code>) : undefined
}

/** The agent's own calls are below the path already. */
function belowBase(address: string): string {
  return address.startsWith(`${supportPath}/`) ? address : basePath + address
}

function addressOf(endpoint: Endpoint, { params = {}, query = {} }: RequestParts): string {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  const search = new URLSearchParams(entries).toString()
  return search === '' ? path : `${path}?${search}`
}
