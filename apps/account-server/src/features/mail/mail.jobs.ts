import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { Letter, SendMail } from '@atrium/server-kit/mail.ts'
import { mailQueue } from './mail.writes.ts'

/** Delivers letters, at least once each. */
export function mailJobs(jobs: Jobs, sendMail: SendMail): Promise<void> {
  return jobs.work<Letter>(mailQueue, (letter) => sendMail(letter))
}
