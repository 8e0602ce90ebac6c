import { randomUUID } from 'node:crypto'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Letter } from '@atrium/server-kit/mail.ts'
import type { Deps } from '../../deps.ts'

export const mailQueue = 'mail'

/** Puts a letter on the queue, in the transaction of what it tells. Its Message-ID is the same on every delivery. */
export async function sendLetter(
  { jobs, config }: Pick<Deps, 'jobs' | 'config'>,
  tx: Tx,
  letter: Omit<Letter, 'messageId'>,
): Promise<void> {
  const messageId = `<${randomUUID()}@${new URL(config.PUBLIC_URL).hostname}>`
  await jobs.send(tx, mailQueue, { ...letter, messageId } satisfies Letter)
}
