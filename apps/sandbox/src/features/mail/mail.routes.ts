import type { Db } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import { refuseBrokenText } from '@atrium/server-kit/text.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ownForms } from '../../page/own-page.ts'
import { emailPolicy, sendPage } from '../../page/page.ts'
import { emailPage } from './email.page.ts'
import { inboxPage } from './inbox.page.ts'
import { deleteEmails, findEmail, listEmails } from './mail.queries.ts'

const Mailbox = z.object({ to: z.string().trim().max(254).optional() })
const Inbox = Mailbox.extend({ page: z.coerce.number().int().min(1).max(1_000_000).default(1) })
const EmailId = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const Message = z.object({
  id: z.int(),
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  links: z.array(z.string()),
  messageId: z.string(),
  /** How often this email arrived. */
  deliveries: z.int(),
  /** ISO 8601, of the first delivery. */
  receivedAt: z.string(),
})

/** For tests and journeys: what the inbox shows, newest first. */
const listMessages = {
  method: 'GET',
  path: '/mail/api/messages/',
  summary: 'Emails that arrived, newest first',
  access: 'anyone',
  query: Inbox,
  reply: z.object({ list: z.array(Message), total: z.int() }),
} as const

export function mailRoutes(app: FastifyInstance, db: Db): void {
  serve(app, listMessages, async ({ query }) => {
    const { list, total } = await listEmails(db, query)
    return { list: list.map((entry) => ({ ...entry, receivedAt: entry.receivedAt.toISOString() })), total }
  })

  app.get('/mail', async (request, reply) => {
    const choice = parsed(Inbox, request.query)
    return sendPage(reply, inboxPage({ ...choice, ...(await listEmails(db, choice)) }))
  })

  app.get('/mail/:id', async (request, reply) => {
    const { id } = parsed(z.object({ id: EmailId }), request.params)
    const found = await findEmail(db, id)
    if (!found) throw new Problem('not_found')
    return sendPage(reply, emailPage(found), emailPolicy)
  })

  ownForms(app, (forms) => {
    forms.post('/mail/delete', async (request, reply) => {
      const { to } = parsed(Mailbox, request.body)
      await deleteEmails(db, to)
      return reply.redirect(to ? `/mail?to=${encodeURIComponent(to)}` : '/mail', 303)
    })
  })
}

/** @throws Problem `not_found` for a mistyped address, rather than a validation error. */
function parsed<Schema extends z.ZodObject>(schema: Schema, given: unknown): z.output<Schema> {
  refuseBrokenText(given, 'given')
  const result = schema.safeParse(given ?? {})
  if (!result.success) throw new Problem('not_found')
  return result.data
}
