import type { Pool } from 'pg'
import { type Job, type JobResult, PgBoss, type WorkOptions } from 'pg-boss'
import type { Logger } from 'pino'
import { newPool } from './database.ts'
import { driverError, isDatabaseUnavailable } from './database-failure.ts'
import { type JobSender, sending } from './job-sender.ts'
import { watchQueues } from './job-watch.ts'
import { type Metrics, measureJobs } from './metrics.ts'

export interface Jobs extends JobSender {
  /**
   * Registers a handler for a queue. Delivery is at least once: handlers must be idempotent.
   * @param options of this queue, instead of the default; also updates an existing queue
   */
  work<Data extends object>(
    queue: string,
    handle: (data: Data, jobId: string) => Promise<void>,
    options?: Retries | Long,
  ): Promise<void>
  /** Runs a handler on a schedule, in one of the servers. */
  schedule(queue: string, when: Schedule, handle: () => Promise<void>): Promise<void>
  /** How many jobs of these queues run or could run now; jobs that wait for their next try are not counted. */
  unfinished(queues: readonly string[]): Promise<number>
  /** Lets the workers of these queues look for jobs now. */
  wake(queues: readonly string[]): void
  /** Removes schedules of earlier versions or settings that were not registered since this start, with their jobs. */
  endOtherSchedules(): Promise<void>
  stop(): Promise<void>
}

/** A queue. `oncePerSubject`: one waiting job per subject is enough, since it reads the latest state. */
type Queue = string | { name: string; oncePerSubject: true }

/** Cron (UTC), whose shortest interval is a minute; `secondsAfter`: when it runs after each of its moments, instead of then. */
type Schedule = string | { cron: string; secondsAfter: readonly number[] }

/** With exponential backoff, in seconds. */
interface Retries {
  retryLimit: number
  retryDelay: number
  retryDelayMax: number
}

/** Of jobs that take minutes: one that is stopped is noticed by its silence, not by its time. */
interface Long {
  /** How many run at once in each server, so that they leave room for others. */
  atOnce: number
}

/** How a queue is worked off. */
type Pace = WorkOptions & { workers: number }

interface JobsOptions {
  databaseUrl: string
  /** PostgreSQL schema of the queue's tables. */
  schema: string
  /** Queues to which this program sends; created before there is a worker. */
  queues?: readonly Queue[]
  logger: Logger
  metrics?: Metrics
}

/** Retries with exponential backoff for about two days; a stuck job is taken over after a minute. */
const delivery = { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 3600 * 4, expireInSeconds: 60 }

/** A server that works on a long job says so every fifteen seconds. */
const long = { expireInSeconds: 4 * 3600, heartbeatSeconds: 30 }

/** Seconds between two searches for stuck jobs: those of a killed program run again within 90 s, and all is well again within 120. */
const supervision = { superviseIntervalSeconds: 15, monitorIntervalSeconds: 15 }

/** A worker is woken when its queue has a job: its own polls are for what the watch cannot see, such as a group that may go on. */
const woken = { pollingIntervalSeconds: 30 }

/**
 * Six workers with two jobs each, so that a slow receiver delays one other job and not the queue. A worker with a full batch
 * looks for more immediately, so that a long queue is worked off without pauses.
 */
const promptly = { workers: 6, batchSize: 2, burstWhenBatchFull: true }

export async function startJobs({ databaseUrl, schema, queues = [], logger, metrics }: JobsOptions): Promise<Jobs> {
  const pool = jobsPool(databaseUrl, schema)
  const outage = logOutages(logger)
  const executeSql = async (text: string, values?: unknown[]) => {
    const result = await pool.query(text, values)
    outage.end()
    return result
  }
  const boss = new PgBoss({ db: { executeSql }, schema, ...supervision })
  boss.on('error', outage.note)
  await boss.start()
  for (const queue of queues) {
    if (typeof queue === 'string') await boss.createQueue(queue, delivery)
    else await boss.createQueue(queue.name, { ...delivery, policy: 'short' })
  }

  const scheduled = new Set<string>()
  const watch = watchQueues({ executeSql, schema, wake: (worker) => boss.notifyWorker(worker), onFailure: outage.note })
  const count = metrics && measureJobs(metrics, () => queueCounts(boss))
  const handled = async (queue: string, { workers, ...pace }: Pace, handle: (job: Job<unknown>) => Promise<void>) => {
    const handleBatch = (batch: Job<unknown>[]) =>
      Promise.all(
        batch.map(async (job): Promise<JobResult> => {
          try {
            await handle(job)
            count?.(queue, 'completed')
            return { id: job.id, status: 'completed' }
          } catch (error) {
            count?.(queue, 'failed')
            logger.warn({ err: error, queue, jobId: job.id }, 'job failed, will be tried again')
            return { id: job.id, status: 'failed', output: { message: String(error) } }
          }
        }),
      )
    for (let worker = 0; worker < workers; worker += 1) {
      watch.add(queue, await boss.work(queue, { ...woken, ...pace, perJobResults: true }, handleBatch))
    }
  }

  return {
    ...sending(boss, schema),
    async work<Data extends object>(
      queue: string,
      handle: (data: Data, jobId: string) => Promise<void>,
      options?: Retries | Long,
    ) {
      await boss.createQueue(queue, delivery)
      const isLong = options && 'atOnce' in options
      if (options) await boss.updateQueue(queue, isLong ? long : { ...options, retryBackoff: true })
      await handled(queue, isLong ? { workers: options.atOnce } : promptly, (job) => handle(job.data as Data, job.id))
    },
    async schedule(queue, when, handle) {
      scheduled.add(queue)
      // The schedule repeats it anyway; retries are for a job that a stop interrupted.
      const often = { ...delivery, retryLimit: 2, retryDelay: 30 }
      await boss.createQueue(queue, often)
      await boss.updateQueue(queue, often)
      await storeSchedule(boss, queue, when)
      await handled(queue, { workers: 1 }, () => handle())
    },
    unfinished: (names) => unfinishedJobs(pool, schema, names),
    wake: watch.wake,
    async endOtherSchedules() {
      const others = (await boss.getSchedules()).filter(({ name }) => !scheduled.has(name))
      for (const { name, key } of others) {
        await boss.unschedule(name, key)
        await boss.deleteQueuedJobs(name)
      }
    },
    async stop() {
      await watch.stop()
      await boss.stop({ graceful: true, timeout: 3000 })
      await pool.end()
    },
  }
}

function jobsPool(connectionString: string, schema: string): Pool {
  return newPool({
    connectionString,
    max: 4,
    application_name: `atrium-${schema}`,
    connectionTimeoutMillis: 10_000,
    // Longer than maintenance takes: for a database that does not respond.
    query_timeout: 60_000,
  })
}

async function storeSchedule(boss: PgBoss, queue: string, when: Schedule): Promise<void> {
  const { cron, secondsAfter } = typeof when === 'string' ? { cron: when, secondsAfter: [0] } : when
  for (const seconds of secondsAfter) {
    const later = seconds === 0 ? {} : { key: `after-${seconds}`, startAfter: seconds }
    await boss.schedule(queue, cron, null, later)
  }
}

/** Counted anew: the library's own counts are up to a minute old. */
async function unfinishedJobs(pool: Pool, schema: string, names: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int from ${schema}.job
     where name = any($1) and state in ('created', 'retry', 'active') and start_after <= now()`,
    [names],
  )
  return rows[0]?.count ?? 0
}

async function queueCounts(boss: PgBoss) {
  const queues = await boss.getQueues()
  return queues.map(({ name, readyCount, failedCount }) => ({ queue: name, ready: readyCount, failed: failedCount }))
}

/** Milliseconds between two log lines about an outage, which the watch and every worker notice. */
const repetitionMs = 10_000

function logOutages(logger: Logger) {
  let loggedAt: number | undefined
  return {
    note(error: Error) {
      if (!isDatabaseUnavailable(error)) {
        logger.error({ err: error }, 'job queue')
        return
      }
      if (loggedAt !== undefined && Date.now() - loggedAt < repetitionMs) return
      loggedAt = Date.now()
      logger.warn({ reason: driverError(error) }, 'the job queue waits for the database')
    },
    end() {
      if (loggedAt === undefined) return
      loggedAt = undefined
      logger.info('the job queue has its database again')
    },
  }
}
