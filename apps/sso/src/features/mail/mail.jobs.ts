import type { SendMail } from '@atrium/server-kit/mail.ts'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { writeEmail } from './emails.ts'
import { type MailJob, mailQueue } from './mail.writes.ts'

const Secrets = z.object({ url: z.string().optional(), code: z.string().optional() })

/** Delivers emails, at least once each. */
export async function mailJobs({ jobs, secrets, config }: Deps, sendMail: SendMail): Promise<void> {
  await jobs.work<MailJob>(mailQueue, async ({ letter: kind, reader, provider, ways, sealed, messageId }) => {
    const { url, code } = Secrets.parse(JSON.parse(secrets.open(sealed)))
    await sendMail(
      writeEmail({
        kind,
        to: reader.email,
        name: reader.name,
        locale: reader.locale,
        messageId,
        brandName: config.BRAND_NAME,
        brandColor: config.BRAND_COLOR,
        ...(provider && { provider }),
        ...(ways && { ways }),
        ...(url && { url }),
        ...(code && { code }),
      }),
    )
  })
}
