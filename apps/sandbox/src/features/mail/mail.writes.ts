import { randomUUID } from 'node:crypto'
import type { Db } from '@atrium/server-kit/database.ts'
import { sql } from 'drizzle-orm'
import PostalMime, { type Address } from 'postal-mime'
import { storable } from './mail.rules.ts'
import { messages } from './mail.tables.ts'

interface Delivery {
  /** The email as it came over the wire. */
  source: Uint8Array
  recipients: readonly string[]
  now: Date
}

/** Puts an email into each recipient's mailbox. A repeated delivery only raises its count. */
export async function deliver(db: Db, { source, recipients, now }: Delivery): Promise<void> {
  const email = await PostalMime.parse(source)
  const mailboxes = [...new Set(recipients.map((recipient) => storable(recipient.toLowerCase()).slice(0, 254)))]
  // Both are index keys, whose length PostgreSQL limits.
  const messageId = storable(email.messageId ?? `<${randomUUID()}@sandbox>`).slice(0, 400)

  await db
    .insert(messages)
    .values(
      mailboxes.map((recipient) => ({
        recipient,
        messageId,
        sender: storable(senderOf(email.from)),
        subject: storable(email.subject ?? ''),
        text: storable(email.text ?? ''),
        html: storable(email.html ?? ''),
        headers: email.headers.map(({ originalKey, value }) => ({
          name: storable(originalKey),
          value: storable(value),
        })),
        attachments: email.attachments.map(({ filename, mimeType, content }) => ({
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
