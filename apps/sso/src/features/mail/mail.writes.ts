import { randomUUID } from 'node:crypto'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'
import type { LetterName, LetterSecrets } from './letters.ts'

export const mailQueue = 'mail'

interface Reader {
  email: string
  /** First name, or empty. */
  name: string
  locale: string
}

export interface MailJob {
  letter: LetterName
  reader: Reader
  /** Links and codes, encrypted: the queue's table must not open accounts. */
  sealed: string
  messageId: string
}

/** Puts a letter on the queue, in the transaction of what it tells. Its Message-ID is the same on every delivery. */
export async function sendLetter(
  { jobs, secrets, config }: Pick<Deps, 'jobs' | 'secrets' | 'config'>,
  tx: Tx,
  letter: { name: LetterName; reader: Reader; secrets?: LetterSecrets },
): Promise<void> {
  const job: MailJob = {
    letter: letter.name,
    reader: letter.reader,
    sealed: secrets.seal(JSON.stringify(letter.secrets ?? {})),
    messageId: `<${randomUUID()}@${new URL(config.SSO_URL).hostname}>`,
  }
  await jobs.send(tx, mailQueue, job)
}
