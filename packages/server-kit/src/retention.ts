import type { Jobs } from './jobs.ts'

/** Something that is kept for a time, and the job that ends it. */
export interface Retention {
  /** Of the queue: `sessions.purge`. */
  job: string
  /** cron, UTC: at night, and not all at the same minute. */
  cron: string
  /** Settings that say for how long. */
  settings: readonly string[]
  run(): Promise<void>
}

export async function scheduleRetention(jobs: Pick<Jobs, 'schedule'>, all: readonly Retention[]): Promise<void> {
  for (const { job, cron, run } of all) await jobs.schedule(job, cron, run)
}

/** The moment before which something is older than so many days. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000)
}
