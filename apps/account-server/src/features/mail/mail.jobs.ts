import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { Email, SendMail } from '@atrium/server-kit/mail.ts'
import { mailQueue } from './mail.writes.ts'

/** Delivers emails, at least once each. */
export function mailJobs(jobs: Jobs, sendMail: SendMail): Promise<void> {
  return jobs.work<Email>(mailQueue, (message) => sendMail(message))
}
