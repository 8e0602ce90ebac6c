import { randomUUID } from 'node:crypto'
import type { ProviderName } from '@atrium/contract/login-providers.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'
import type { EmailName, EmailSecrets } from './emails.ts'
import type { WayIn } from './way-in.rules.ts'

export const mailQueue = 'mail'

interface Reader {
  email: string
  /** First name, or empty. */
  name: string
  locale: string
}

export interface MailJob {
  /** Named so because queued jobs of earlier versions have this name. */
  letter: EmailName
  reader: Reader
  /** The login provider that it is about. */
  provider?: ProviderName
  /** Ways to sign in that it names. */
  ways?: readonly WayIn[]
  /** Links and codes, encrypted, so that the queue's table does not give access to accounts. */
  sealed: string
  messageId: string
}

/** Enqueues an email in the transaction of the change it reports. Its Message-ID is the same on every delivery. */
export async function sendEmail(
  { jobs, secrets, config }: Pick<Deps, 'jobs' | 'secrets' | 'config'>,
  tx: Tx,
  email: Pick<MailJob, 'reader' | 'provider' | 'ways'> & { name: EmailName; secrets?: EmailSecrets },
): Promise<void> {
  const job: MailJob = {
    letter: email.name,
    reader: email.reader,
    ...(email.provider && { provider: email.provider }),
    ...(email.ways && { ways: email.ways }),
    sealed: secrets.seal(JSON.stringify(email.secrets ?? {})),
    messageId: `<${randomUUID()}@${new URL(config.SSO_URL).hostname}>`,
  }
  await jobs.send(tx, mailQueue, job)
}
