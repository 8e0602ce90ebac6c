import type { FastifyInstance, InjectOptions } from 'fastify'

type Method = NonNullable<InjectOptions['method']>

/** `fetch` to this program, without a network: the shop calls the stand-ins as a vendor's shop calls the providers. */
export function ownFetch(app: FastifyInstance) {
  return async (address: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(address instanceof Request ? address.url : address)
    const reply = await app.inject({
      method: (init.method ?? 'GET') as Method,
      url: pathname + search,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' && { payload: init.body }),
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(reply.headers)) if (value !== undefined) headers.set(name, String(value))
    return new Response(reply.statusCode === 204 ? null : reply.body, { status: reply.statusCode, headers })
  }
}
