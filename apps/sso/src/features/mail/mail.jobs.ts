import { randomUUID } from 'node:crypto'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { SendMail } from '@atrium/server-kit/mail.ts'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { type LetterName, type LetterSecrets, writeLetter } from './letters.ts'

const queue = 'mail'

interface Reader {
  email: string
  /** First name, or empty. */
  name: string
  locale: string
}

interface MailJob {
  letter: LetterName
  reader: Reader
  /** Links and codes, encrypted: the queue's table must not open accounts. */
  sealed: string
  messageId: string
}

const Secrets = z.object({ url: z.string().optional(), code: z.string().optional() })

/** Puts a letter on the queue, in the transaction of what it tells. Its Message-ID is the same on every delivery. */
export async function sendLetter(
  { jobs, secrets, settings }: Pick<Deps, 'jobs' | 'secrets' | 'settings'>,
  tx: Tx,
  letter: { name: LetterName; reader: Reader; secrets?: LetterSecrets },
): Promise<void> {
  const job: MailJob = {
    letter: letter.name,
    reader: letter.reader,
    sealed: secrets.seal(JSON.stringify(letter.secrets ?? {})),
    messageId: `<${randomUUID()}@${new URL(settings.publicUrl).hostname}>`,
  }
  await jobs.send(tx, queue, job)
}

/** Delivers letters, at least once each. */
export async function mailJobs({ jobs, secrets, settings }: Deps, sendMail: SendMail): Promise<void> {
  await jobs.work<MailJob>(queue, async ({ letter, reader, sealed, messageId }) => {
    const { url, code } = Secrets.parse(JSON.parse(secrets.open(sealed)))
    await sendMail(
      writeLetter({
        letter,
        to: reader.email,
        name: reader.name,
        locale: reader.locale,
        messageId,
        brandName: settings.brandName,
        brandColor: settings.brandColor,
        ...(url && { url }),
        ...(code && { code }),
      }),
    )
  })
}
