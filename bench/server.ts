import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { migrate, openDatabase } from '@atrium/server-kit/database.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { createApp } from '../apps/account-server/src/app.ts'
import { readAccountConfig } from '../apps/account-server/src/config.ts'
import { members } from '../apps/account-server/src/db/members.tables.ts'
import { offlineOrders } from '../apps/account-server/src/features/orders/orders.tables.ts'
import { hashOf, newToken } from '../apps/account-server/src/features/session/session.rules.ts'
import { sessions } from '../apps/account-server/src/features/session/session.tables.ts'
import { bareRoutes } from './bare-routes.ts'

/** Our server and the bare one in one process, on one pool, with one customer: what is compared differs in nothing else. */
const started = performance.now()
const config = readAccountConfig({ ...process.env, REQUESTS_PER_MINUTE: '1000000000', LOG_LEVEL: 'silent' })
await migrate(config.DATABASE_URL, join(import.meta.dirname, '../apps/account-server/migrations'), 'account')
const db = openDatabase({ url: config.DATABASE_URL, size: 10, applicationName: 'bench' })

const token = newToken()
const now = new Date()
const [member] = await db
  .insert(members)
  .values({
    email: `${randomUUID()}@bench.test`,
    emailVerified: true,
    firstName: 'Ada',
    lastName: 'Lindqvist',
    phone: '(212) 555-0123',
    countryCode: 'US',
    company: 'Analytical Engines',
    createdAt: now,
  })
  .returning()
if (!member) throw new Error('no member')
await db.insert(sessions).values({
  tokenHash: hashOf(token),
  memberId: member.id,
  subject: 'bench',
  ticketHash: 'bench',
  createdAt: now,
  seenAt: now,
})
await db.insert(offlineOrders).values(
  Array.from({ length: 200 }, (_, index) => ({
    orderNumber: `${member.id}-${index}`,
    memberId: member.id,
    lines: [`Folio PDF Editor+ for Business · ${index + 1} seats, yearly`, 'Maintenance'],
    amount: 19_080_00 + index,
    currency: 'USD',
    date: new Date(now.getTime() - index * 86_400_000),
  })),
)
await db.execute('analyze')

const { app } = await createApp({
  config,
  db,
  logger: newLogger('bench', 'silent'),
  clock: () => new Date(),
  validateTicket: async () => ({ failure: 'NONE' }),
  pages: { send: async (reply) => reply.send('') },
})
const bare = bareRoutes(db.$client)
const ours = await app.listen({ port: 0, host: '127.0.0.1' })
const theirs = await bare.listen({ port: 0, host: '127.0.0.1' })

process.send?.({ ours, theirs, cookie: `atrium_session=${token}`, milliseconds: performance.now() - started })
process.on('message', () => process.send?.({ megabytes: process.memoryUsage().rss / 1_048_576 }))
process.on('disconnect', () => process.exit(0))
