import type { Jobs } from './jobs.ts'

/** Data that is stored for a limited time, and the job that deletes it. */
export interface Retention {
  /** Name of the queue: `sessions.purge`. */
  job: string
  /** cron, UTC: at night, each at another minute. */
  cron: string
  /** The settings that define how long. */
  settings: readonly string[]
  run(): Promise<void>
}

export async function scheduleRetention(jobs: Pick<Jobs, 'schedule'>, all: readonly Retention[]): Promise<void> {
  for (const { job, cron, run } of all) await jobs.schedule(job, cron, run)
}

/** The moment a number of days ago. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000)
}
