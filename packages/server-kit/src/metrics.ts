import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { listen } from './listen.ts'

/** A program's Prometheus metrics. */
export interface Metrics {
  registry: Registry
  /** On a port of its own, which is not public. */
  listen(port: number, host: string): Promise<FastifyInstance>
}

export function newMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    async listen(port, host) {
      const app = Fastify()
      app.get('/metrics', async (_request, reply) => {
        reply.header('content-type', registry.contentType)
        return registry.metrics()
      })
      await listen(app, { port, host })
      return app
    },
  }
}

/** `http_request_duration_seconds` by method, route and status. Call before registering routes. */
export function measureRequests(app: FastifyInstance, { registry }: Metrics): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  // Cached per combination, so that a request costs one lookup.
  const known = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()
  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    const { url = 'none' } = routeOptions
    const key = `${method} ${reply.statusCode} ${url}`
    const series = known.get(key) ?? durations.labels(method, url, String(reply.statusCode))
    known.set(key, series)
    series.observe(reply.elapsedTime / 1000)
    done()
  })
}

/** `database_connections` by state: in use, idle, and requests waiting for one. */
export function measurePool(pool: pg.Pool, { registry }: Metrics): void {
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the web pool, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
}

/** Milliseconds to wait for counts. */
const countsMs = 2000

interface Gauged<Label extends string> {
  name: string
  help: string
  labelNames: readonly Label[]
  /** Called at every scrape. */
  samples(): Promise<readonly { labels: Record<Label, string>; value: number }[]>
}

/** A gauge that is counted in the database. If the database does not respond, the other metrics are still served. */
export function gaugeOf<Label extends string>(
  { registry }: Pick<Metrics, 'registry'>,
  { name, help, labelNames, samples }: Gauged<Label>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const known = await Promise.race([samples(), pause(countsMs, [], { ref: false })]).catch(() => [])
      this.reset()
      for (const { labels, value } of known) this.set(labels, value)
    },
  })
}

interface QueueCounts {
  queue: string
  /** Jobs that are ready to run. */
  ready: number
  /** Stored jobs that failed their last retry. */
  failed: number
}

/**
 * `jobs_total` by queue and outcome (mails, webhooks, events and logouts have a queue each), and `jobs_stored` by queue and
 * state.
 * @param counts called at every scrape
 * @returns counts one job
 */
export function measureJobs(
  { registry }: Metrics,
  counts: () => Promise<readonly QueueCounts[]>,
): (queue: string, outcome: 'completed' | 'failed') => void {
  const handled = new Counter({
    name: 'jobs_total',
    help: 'Jobs handled by this process; failed ones are tried again',
    labelNames: ['queue', 'outcome'],
    registers: [registry],
  })
  gaugeOf(
    { registry },
    {
      name: 'jobs_stored',
      help: 'Jobs that are ready to run, and those that failed their last retry',
      labelNames: ['queue', 'state'],
      samples: async () =>
        (await counts()).flatMap(({ queue, ready, failed }) => [
          { labels: { queue, state: 'ready' }, value: ready },
          { labels: { queue, state: 'failed' }, value: failed },
        ]),
    },
  )
  return (queue, outcome) => handled.inc({ queue, outcome })
}
