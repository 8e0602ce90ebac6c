import { sql } from 'drizzle-orm'
import { fromDrizzle, type Job, PgBoss, type WorkOptions } from 'pg-boss'
import type { Logger } from 'pino'
import type { Tx } from './database.ts'

export interface Jobs {
  /** Puts a job on a queue inside the caller's transaction: it exists exactly when the transaction commits. */
  send(tx: Tx, queue: string, data: object): Promise<void>
  /** Declares a queue and what handles it. Delivered at least once: handlers write a unique effect key. */
  work<Data extends object>(queue: string, handle: (data: Data, jobId: string) => Promise<void>): Promise<void>
  /** Runs a handler by the clock (cron, UTC), in one of the servers. */
  schedule(queue: string, cron: string, handle: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

interface JobsOptions {
  databaseUrl: string
  /** PostgreSQL schema of the queue's tables. */
  schema: string
  /** Queues to which this program sends: they are there before anybody works at them. */
  queues?: readonly string[]
  logger: Logger
}

/** Retries with growing pauses for about two days; a stuck job is taken over after a minute. */
const delivery = { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 3600 * 4, expireInSeconds: 60 }

/**
 * Three at once, so that a slow receiver holds up one of them and not the queue; who finds a job looks again at once, so
 * that a long queue does not wait for the clock.
 */
const promptly = { pollingIntervalSeconds: 1, localConcurrency: 3, burstWhenBatchFull: true }

/** What runs by the clock may come some seconds late. */
const leisurely = { pollingIntervalSeconds: 5 }

export async function startJobs({ databaseUrl, schema, queues = [], logger }: JobsOptions): Promise<Jobs> {
  const boss = new PgBoss({ connectionString: databaseUrl, schema, max: 4, application_name: `atrium-${schema}` })
  boss.on('error', (error) => logger.error({ err: error }, 'job queue'))
  await boss.start()
  for (const queue of queues) await boss.createQueue(queue, delivery)

  const handled = (queue: string, pace: WorkOptions, handle: (job: Job<unknown>) => Promise<void>) =>
    boss.work(queue, pace, async ([job]: Job<unknown>[]) => {
      if (!job) return
      try {
        await handle(job)
      } catch (error) {
        logger.warn({ err: error, queue, jobId: job.id }, 'job failed, will be tried again')
        throw error
      }
    })

  return {
    async send(tx, queue, data) {
      await boss.send(queue, data, { db: fromDrizzle(tx, sql) })
    },
    async work<Data extends object>(queue: string, handle: (data: Data, jobId: string) => Promise<void>) {
      await boss.createQueue(queue, delivery)
      await handled(queue, promptly, (job) => handle(job.data as Data, job.id))
    },
    async schedule(queue, cron, handle) {
      await boss.createQueue(queue, delivery)
      await boss.schedule(queue, cron)
      await handled(queue, leisurely, () => handle())
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 5000 })
    },
  }
}
