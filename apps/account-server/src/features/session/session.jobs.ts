import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { Deps } from '../../deps.ts'
import { sessionLimits } from './identify.ts'
import { purgeSessions } from './session.queries.ts'

/** Ended sessions open nothing; once a day their rows go. */
export function sessionJobs(jobs: Jobs, deps: Deps): Promise<void> {
  return jobs.schedule('sessions.purge', '17 3 * * *', () => purgeSessions(deps.db, sessionLimits(deps), deps.clock()))
}
