import type { FastifyInstance } from 'fastify'
import { type Db, newPool } from './database.ts'

/** Milliseconds to reach the database, and again to be answered: whoever watches us waits for two seconds at most. */
const deadlineMs = 900

/**
 * `/livez`: the process answers. `/readyz`: it can do its work, and is not about to stop. Readiness has a connection of its
 * own: a pool in which everything is taken is busy, not broken. Those who ask at once share one answer.
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

  // Asked every few seconds by whoever keeps us running: no limit applies.
  const options = { config: { isHealth: true, rateLimit: false } }
  const isStopping = app.getDecorator<() => boolean>('isStopping')

  app.get('/livez', options, async () => ({ status: 'ok' }))
  app.get('/readyz', options, async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' })
    return (await isReachable()) ? { status: 'ok' } : reply.code(503).send({ status: 'no database' })
  })
}
