import type { Db } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { Deps } from '../../deps.ts'
import { type FormerOwnerJob, formerOwnersQueue } from '../subscriptions/ownership/end-team.writes.ts'
import { type SubscriptionCreated, subscriptionCreatedQueue } from '../subscriptions/projection.writes.ts'
import { dropFormerHolder, matchLicenses } from './licenses.writes.ts'

/** What was bought, or has another product now, has its license at once; the daily run finds what was taken over without an event. */
export async function licensesJobs(jobs: Jobs, { db }: Pick<Deps, 'db'>): Promise<void> {
  await jobs.work<SubscriptionCreated>(subscriptionCreatedQueue, ({ subscriptionId }) =>
    matchLicenses(db, subscriptionId),
  )
  await jobs.work<FormerOwnerJob>(formerOwnersQueue, (job) => leaveLicense(db, job))
  await jobs.schedule('licenses.missing', '41 3 * * *', () => matchLicenses(db))
}

/** Who had a subscription by mistake is nothing to its license any more. */
export function leaveLicense(db: Db, { subscriptionId, memberId }: FormerOwnerJob): Promise<void> {
  return db.transaction((tx) => dropFormerHolder(tx, memberId, [subscriptionId]))
}
