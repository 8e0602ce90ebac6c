import type { Db } from '@atrium/server-kit/database.ts'
import { count, desc, eq } from 'drizzle-orm'
import { linksIn } from './mail.rules.ts'
import { messages } from './mail.tables.ts'

const pageSize = 50

interface Choice {
  /** A mailbox, or everybody's. */
  to?: string | undefined
  page?: number
}

/** Emails, newest first. */
export async function listEmails(db: Db, { to, page = 1 }: Choice) {
  const { headers: _headers, attachments: _attachments, ...columns } = columnsOfMessages
  const [list, [counted]] = await Promise.all([
    db
      .select(columns)
      .from(messages)
      .where(ofMailbox(to))
      .orderBy(desc(messages.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.select({ total: count() }).from(messages).where(ofMailbox(to)),
  ])
  const total = counted?.total ?? 0
  return { list: list.map(withLinks), total, pages: Math.max(1, Math.ceil(total / pageSize)) }
}

export async function findEmail(db: Db, id: number) {
  const [found] = await db.select(columnsOfMessages).from(messages).where(eq(messages.id, id))
  return found && withLinks(found)
}

export async function deleteEmails(db: Db, to: string | undefined): Promise<void> {
  await db.delete(messages).where(ofMailbox(to))
}

function ofMailbox(to: string | undefined) {
  return to ? eq(messages.recipient, to.toLowerCase()) : undefined
}

const columnsOfMessages = {
  id: messages.id,
  to: messages.recipient,
  from: messages.sender,
  subject: messages.subject,
  text: messages.text,
  html: messages.html,
  messageId: messages.messageId,
  deliveries: messages.deliveries,
  receivedAt: messages.receivedAt,
  headers: messages.headers,
  attachments: messages.attachments,
}

function withLinks<Email extends { text: string; html: string }>(found: Email) {
  return { ...found, links: linksIn(found.text, found.html) }
}
