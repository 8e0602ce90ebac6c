import type { FastifyInstance } from 'fastify'
import { type Db, newPool } from './database.ts'

/** Milliseconds to connect to the database, and again for the answer: monitors wait two seconds at most. */
const deadlineMs = 900

/**
 * `/livez`: the process answers. `/readyz`: it can do its work, and is not stopping. Readiness uses its own connection, since a
 * full pool is busy, not broken. Concurrent checks share one answer.
 */
export function serveHealth(app: FastifyInstance, db: Db): void {
  const { connectionString } = db.$client.options
  const pool = newPool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: deadlineMs,
    query_timeout: deadlineMs,
    application_name: 'atrium-readiness',
  })
  let asking: Promise<boolean> | undefined
  const isReachable = () => {
    asking ??= pool
      .query('select 1')
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asking = undefined
      })
    return asking
  }
  app.addHook('onClose', () => pool.end())

  // Not rate limited: monitors ask every few seconds.
  const options = { config: { isHealth: true, rateLimit: false } }
  const isStopping = app.getDecorator<() => boolean>('isStopping')

  app.get('/livez', options, async () => ({ status: 'ok' }))
  app.get('/readyz', options, async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' })
    return (await isReachable()) ? { status: 'ok' } : reply.code(503).send({ status: 'no database' })
  })
}
