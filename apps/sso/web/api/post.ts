import type { Endpoint, EndpointReply, EndpointRequest } from '@atrium/contract/endpoint.ts'
import type { ProblemDocument } from '@atrium/contract/problem.ts'
import { CallProblem, problemOf } from '@atrium/ui/call-problem.ts'

/** After this time the server counts as unreachable. */
const timeoutMs = 30_000

/**
 * Calls one operation of our server; the only fetch of these pages. Typed by the operation, whose schemas are used on the
 * server only. @throws CallProblem
 * @example post<typeof signIn>('/sso/sign-in/', { email, password })
 */
export async function post<Definition extends Endpoint>(
  path: Definition['path'],
  body: EndpointRequest<Definition> extends { body: infer Body } ? Body : never,
): Promise<EndpointReply<Definition>> {
  const response = await reach(path, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok) return answer as EndpointReply<Definition>
  if (isProblem(answer)) throw problemOf(answer, response.headers.get('retry-after'))
  // Not our server's reply: probably a proxy's.
  throw new CallProblem(response.status >= 502 ? 'overloaded' : 'internal', { status: response.status })
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch {
    throw new CallProblem('offline')
  }
}

function isProblem(answer: unknown): answer is ProblemDocument {
  return typeof answer === 'object' && answer !== null && 'code' in answer && typeof answer.code === 'string'
}
