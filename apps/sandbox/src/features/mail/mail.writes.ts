import { randomUUID } from 'node:crypto'
import type { Db } from '@atrium/server-kit/database.ts'
import { sql } from 'drizzle-orm'
import PostalMime, { type Address } from 'postal-mime'
import { storable } from './mail.rules.ts'
import { messages } from './mail.tables.ts'

interface Delivery {
  /** The letter as it came over the wire. */
  source: Uint8Array
  recipients: readonly string[]
  now: Date
}

/** Puts a letter into each recipient's mailbox. One that is there already only counts again. */
export async function deliver(db: Db, { source, recipients, now }: Delivery): Promise<void> {
  const letter = await PostalMime.parse(source)
  const mailboxes = [...new Set(recipients.map((recipient) => storable(recipient.toLowerCase()).slice(0, 254)))]
  // Both are keys, and PostgreSQL bounds those.
  const messageId = storable(letter.messageId ?? `<${randomUUID()}@sandbox>`).slice(0, 400)

  await db
    .insert(messages)
    .values(
      mailboxes.map((recipient) => ({
        recipient,
        messageId,
        sender: storable(senderOf(letter.from)),
        subject: storable(letter.subject ?? ''),
        text: storable(letter.text ?? ''),
        html: storable(letter.html ?? ''),
        headers: letter.headers.map(({ originalKey, value }) => ({
          name: storable(originalKey),
          value: storable(value),
        })),
        attachments: letter.attachments.map(({ filename, mimeType, content }) => ({
          name: storable(filename ?? ''),
          type: storable(mimeType),
          bytes: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
        })),
        receivedAt: now,
      })),
    )
    .onConflictDoUpdate({
      target: [messages.messageId, messages.recipient],
      set: { deliveries: sql`${messages.deliveries} + 1` },
    })
}

function senderOf(from: Address | undefined): string {
  if (!from?.address) return from?.name ?? ''
  return from.name ? `${from.name} <${from.address}>` : from.address
}
