import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import Fastify, { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Db } from './database.ts'

export interface Health {
  /**
   * From now on `/readyz` says no, so that a load balancer sends nothing new. Resolves when the doors may be closed:
   * connections that the system took for us, and that we have not yet, would be cut off by closing at once.
   */
  stopping(): Promise<void>
}

/** Milliseconds between saying no and closing the doors. */
const drain = 750

/** `/livez`: the process answers. `/readyz`: it can do its work, and is not about to stop. */
export function serveHealth(app: FastifyInstance, db: Db): Health {
  let isStopping = false

  // Asked every few seconds by whoever keeps us running: no limit applies.
  const options = { config: { isHealth: true, rateLimit: false } }

  app.get('/livez', options, async () => ({ status: 'ok' }))
  app.get('/readyz', options, async (_request, reply) => {
    if (isStopping) return reply.code(503).send({ status: 'stopping' })
    try {
      await db.execute(sql`select 1`)
      return { status: 'ok' }
    } catch {
      return reply.code(503).send({ status: 'no database' })
    }
  })

  return {
    stopping() {
      isStopping = true
      return sleep(drain)
    },
  }
}

/** Prometheus metrics on a port of their own, which is not published. Call before routes are used. */
export function measureRequests(app: FastifyInstance): {
  listen(port: number, host: string): Promise<FastifyInstance>
} {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    durations
      .labels(request.method, request.routeOptions.url ?? 'none', String(reply.statusCode))
      .observe(reply.elapsedTime / 1000)
    done()
  })

  return {
    async listen(port, host) {
      const metrics = Fastify()
      metrics.get('/metrics', async (_request, reply) => {
        reply.header('content-type', registry.contentType)
        return registry.metrics()
      })
      await metrics.listen({ port, host })
      return metrics
    },
  }
}
