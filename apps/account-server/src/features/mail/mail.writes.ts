import { randomUUID } from 'node:crypto'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import type { Deps } from '../../deps.ts'

export const mailQueue = 'mail'

/** Enqueues an email, in the transaction of the change. Its Message-ID is the same for every delivery. */
export async function sendEmail(
  { jobs, config }: Pick<Deps, 'jobs' | 'config'>,
  tx: Tx,
  message: Omit<Email, 'messageId'>,
): Promise<void> {
  const messageId = `<${randomUUID()}@${new URL(config.PUBLIC_URL).hostname}>`
  await jobs.send(tx, mailQueue, { ...message, messageId } satisfies Email)
}
