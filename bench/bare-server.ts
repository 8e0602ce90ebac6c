import Fastify, { type FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Statement } from './recording.ts'

interface BareServer {
  app: FastifyInstance
  /** Registers the statements and the answer of a path. */
  answer(path: string, statements: readonly Statement[], body: unknown): void
}

/**
 * The baseline: a bare Fastify that sends the statements our server sent, concurrently where it did, on the same pool, and
 * answers the same bytes. No rules, no parsing, no headers, no limits.
 */
export function bareServer(pool: pg.Pool): BareServer {
  const app = Fastify()
  const known = new Map<string, { steps: Statement[][]; body: unknown }>()

  app.get('/*', async (request, reply) => {
    const route = known.get(request.url)
    if (!route) return reply.code(404).send()
    for (const step of route.steps) {
      await Promise.all(step.map(({ query, values }) => pool.query(query, [...values])))
    }
    reply.header('content-type', 'application/json; charset=utf-8')
    return JSON.stringify(route.body)
  })

  return {
    app,
    answer(path, statements, body) {
      const steps = Object.values(Object.groupBy(statements, ({ step }) => step)).map((step) => step ?? [])
      known.set(path, { steps, body })
    },
  }
}
