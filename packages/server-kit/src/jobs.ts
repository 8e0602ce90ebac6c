import { sql } from 'drizzle-orm'
import { fromDrizzle, type Job, type JobResult, PgBoss, type WorkOptions } from 'pg-boss'
import type { Logger } from 'pino'
import type { Tx } from './database.ts'

export interface Jobs {
  /**
   * Puts a job on a queue inside the caller's transaction: it exists exactly when the transaction commits.
   * @param subject on a queue that is `oncePerSubject`: while a job about it waits, another one adds nothing
   */
  send(tx: Tx, queue: string, data: object, subject?: string): Promise<void>
  /** Declares a queue and what handles it. Delivered at least once: handlers write a unique effect key. */
  work<Data extends object>(queue: string, handle: (data: Data, jobId: string) => Promise<void>): Promise<void>
  /** Runs a handler by the clock (cron, UTC), in one of the servers. */
  schedule(queue: string, cron: string, handle: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** A queue; `oncePerSubject`: what a waiting job will look at need not be looked at again. */
type Queue = string | { name: string; oncePerSubject: true }

interface JobsOptions {
  databaseUrl: string
  /** PostgreSQL schema of the queue's tables. */
  schema: string
  /** Queues to which this program sends: they are there before anybody works at them. */
  queues?: readonly Queue[]
  logger: Logger
}

/** Retries with growing pauses for about two days; a stuck job is taken over after a minute. */
const delivery = { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 3600 * 4, expireInSeconds: 60 }

/**
 * Six workers with two jobs each, so that a slow receiver holds up one other and not the queue; who found as many as it
 * could take looks again at once, so that a long queue does not wait for the clock.
 */
const promptly = { pollingIntervalSeconds: 1, localConcurrency: 6, batchSize: 2, burstWhenBatchFull: true }

/** What runs by the clock may come some seconds late. */
const leisurely = { pollingIntervalSeconds: 5 }

export async function startJobs({ databaseUrl, schema, queues = [], logger }: JobsOptions): Promise<Jobs> {
  const boss = new PgBoss({ connectionString: databaseUrl, schema, max: 4, application_name: `atrium-${schema}` })
  boss.on('error', (error) => logger.error({ err: error }, 'job queue'))
  await boss.start()
  for (const queue of queues) {
    if (typeof queue === 'string') await boss.createQueue(queue, delivery)
    else await boss.createQueue(queue.name, { ...delivery, policy: 'short' })
  }

  const handled = (queue: string, pace: WorkOptions, handle: (job: Job<unknown>) => Promise<void>) =>
    boss.work(queue, { ...pace, perJobResults: true }, (batch: Job<unknown>[]) =>
      Promise.all(
        batch.map(async (job): Promise<JobResult> => {
          try {
            await handle(job)
            return { id: job.id, status: 'completed' }
          } catch (error) {
            logger.warn({ err: error, queue, jobId: job.id }, 'job failed, will be tried again')
            return { id: job.id, status: 'failed', output: { message: String(error) } }
          }
        }),
      ),
    )

  return {
    async send(tx, queue, data, subject) {
      await boss.send(queue, data, { db: fromDrizzle(tx, sql), ...(subject && { singletonKey: subject }) })
    },
    async work<Data extends object>(queue: string, handle: (data: Data, jobId: string) => Promise<void>) {
      await boss.createQueue(queue, delivery)
      await handled(queue, promptly, (job) => handle(job.data as Data, job.id))
    },
    async schedule(queue, cron, handle) {
      // The next time comes by the clock.
      await boss.createQueue(queue, { ...delivery, retryLimit: 0 })
      await boss.schedule(queue, cron)
      await handled(queue, leisurely, () => handle())
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 3000 })
    },
  }
}
