import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { startJobs } from './jobs.ts'
import { newLogger } from './logging.ts'
import { measurePool, measureRequests, newMetrics } from './metrics.ts'
import { newEmptyDatabase } from './test-database.ts'

test('requests are measured by route, the pool by state, jobs by queue and outcome', async () => {
  await using database = await newEmptyDatabase()
  const metrics = newMetrics()
  const app = Fastify()
  measureRequests(app, metrics)
  measurePool(database.db.$client, metrics)
  app.get('/things/:id/', async () => 'a thing')
  await app.inject('/things/7/')
  await app.inject('/nowhere')

  const logger = newLogger('test', 'silent')
  const jobs = await startJobs({ databaseUrl: database.url, schema: 'jobs', queues: ['mail'], logger, metrics })
  let tries = 0
  await jobs.work('mail', async () => {
    tries += 1
    if (tries === 1) throw new Error('the mail server is away')
  })
  for (let count = 0; count < 2; count += 1) await database.db.transaction((tx) => jobs.send(tx, 'mail', {}))
  await expect.poll(() => tries).toBe(3)

  await expect.poll(() => metrics.registry.metrics()).toMatch(/jobs_total\{queue="mail",outcome="completed"\} 2/)
  const text = await metrics.registry.metrics()
  for (const line of [
    'http_request_duration_seconds_count{method="GET",route="/things/:id/",status="200"} 1',
    'http_request_duration_seconds_count{method="GET",route="none",status="404"} 1',
    'database_connections{state="waiting"} 0',
    'jobs_total{queue="mail",outcome="failed"} 1',
    'jobs_stored{queue="mail",state="ready"}',
  ]) {
    expect(text).toContain(line)
  }
  await jobs.stop()
})
