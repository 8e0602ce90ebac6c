import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { Email, SendMail } from '@atrium/server-kit/mail.ts'
import { mailQueue } from './mail.writes.ts'

/** A mail server that refuses one may take it a second later; after an hour without it, tries are hours apart, for about two days. */
const retries = { retryLimit: 24, retryDelay: 1, retryDelayMax: 3600 * 4 }

/** Delivers emails, at least once each. */
export function mailJobs(jobs: Jobs, sendMail: SendMail): Promise<void> {
  return jobs.work<Email>(mailQueue, (message) => sendMail(message), retries)
}
