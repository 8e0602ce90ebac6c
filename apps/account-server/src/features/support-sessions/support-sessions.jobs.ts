import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { supportSessions } from './support-sessions.tables.ts'
import { endSupportSessions, type SupportEndJob, supportEndsQueue } from './support-sessions.writes.ts'

/** Records the end of a support session when its time is up. Requests are refused by the time itself, with or without the job. */
export function supportSessionsJobs(jobs: Jobs, { db }: Pick<Deps, 'db'>): Promise<void> {
  return jobs.work<SupportEndJob>(supportEndsQueue, ({ id }) =>
    db.transaction((tx) => endSupportSessions(tx, eq(supportSessions.id, id), { by: 'time' })),
  )
}
