import { bigint, index, integer, jsonb, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { sandbox } from '../provider-kit/schema-name.ts'

interface Header {
  name: string
  value: string
}

interface Attachment {
  name: string
  type: string
  bytes: number
}

/** Emails, one row per recipient's mailbox. */
export const messages = sandbox.table(
  'messages',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The mailbox it was delivered to, lower case. */
    recipient: text('recipient').notNull(),
    /** From the email's header; generated here if the sender set none. */
    messageId: text('message_id').notNull(),
    sender: text('sender').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    headers: jsonb('headers').$type<Header[]>().notNull(),
    attachments: jsonb('attachments').$type<Attachment[]>().notNull(),
    /** How often the same email arrived: senders deliver at least once. */
    deliveries: integer('deliveries').notNull().default(1),
    /** Of the first delivery. */
    receivedAt: timestamp('received_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex('messages_once_a_mailbox').on(table.messageId, table.recipient),
    index('messages_of_recipient').on(table.recipient, table.id.desc()),
  ],
)
