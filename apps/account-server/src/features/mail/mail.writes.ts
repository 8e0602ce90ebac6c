import { randomUUID } from 'node:crypto'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import type { Deps } from '../../deps.ts'

export const mailQueue = 'mail'

/** Enqueues an email, in the transaction of the change. Its Message-ID is the same for every delivery. */
export async function sendEmail(
  { jobs, config }: Pick<Deps, 'jobs' | 'config'>,
  tx: Tx,
  message: Omit<Email, 'messageId'>,
): Promise<void> {
  if (isNobodys(message.to)) return
  await jobs.send(tx, mailQueue, identified(config, randomUUID(), message))
}

interface Once {
  /** UUID, of the email. */
  id: string
  message: Omit<Email, 'messageId'>
}

/** Enqueues emails that a repeated job may enqueue again: those with the same id are sent once, with the same Message-ID. */
export async function sendEmailsOnce(
  { jobs, config }: Pick<Deps, 'config'> & { jobs: Pick<Jobs, 'sendEach'> },
  tx: Tx,
  emails: readonly Once[],
): Promise<void> {
  const sent = emails.filter(({ message }) => !isNobodys(message.to))
  const data = sent.map(({ id, message }) => ({ id, data: identified(config, id, message) }))
  await jobs.sendEach(tx, mailQueue, data)
}

/** What is stored in the place of an address that was erased, or of somebody who is no member (RFC 2606): no mail arrives there. */
function isNobodys(address: string): boolean {
  return address.endsWith('@invalid')
}

function identified({ PUBLIC_URL }: Deps['config'], id: string, message: Omit<Email, 'messageId'>): Email {
  return { ...message, messageId: `<${id}@${new URL(PUBLIC_URL).hostname}>` }
}
