import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { Deps } from '../../deps.ts'
import { type SubscriptionCreated, subscriptionCreatedQueue } from '../subscriptions/projection.writes.ts'
import { matchLicenses } from './licenses.writes.ts'

/** What was bought, or has another product now, has its license at once; the daily run finds what was taken over without an event. */
export async function licensesJobs(jobs: Jobs, { db }: Pick<Deps, 'db'>): Promise<void> {
  await jobs.work<SubscriptionCreated>(subscriptionCreatedQueue, ({ subscriptionId }) =>
    matchLicenses(db, subscriptionId),
  )
  await jobs.schedule('licenses.missing', '41 3 * * *', () => matchLicenses(db))
}
