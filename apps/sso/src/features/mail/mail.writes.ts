import { randomUUID } from 'node:crypto'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'
import type { EmailName, EmailSecrets } from './emails.ts'

export const mailQueue = 'mail'

interface Reader {
  email: string
  /** First name, or empty. */
  name: string
  locale: string
}

export interface MailJob {
  /** Jobs of earlier versions, which may still wait, have this name for it. */
  letter: EmailName
  reader: Reader
  /** Links and codes, encrypted: the queue's table must not open accounts. */
  sealed: string
  messageId: string
}

/** Puts an email on the queue, in the transaction of what it tells. Its Message-ID is the same on every delivery. */
export async function sendEmail(
  { jobs, secrets, config }: Pick<Deps, 'jobs' | 'secrets' | 'config'>,
  tx: Tx,
  email: { name: EmailName; reader: Reader; secrets?: EmailSecrets },
): Promise<void> {
  const job: MailJob = {
    letter: email.name,
    reader: email.reader,
    sealed: secrets.seal(JSON.stringify(email.secrets ?? {})),
    messageId: `<${randomUUID()}@${new URL(config.SSO_URL).hostname}>`,
  }
  await jobs.send(tx, mailQueue, job)
}
