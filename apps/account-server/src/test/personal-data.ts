import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { identities } from '../db/members.tables.ts'
import { recordIn } from '../features/activity/activity.writes.ts'
import { addresses } from '../features/addresses/addresses.tables.ts'
import { events } from '../features/events/events.tables.ts'
import { invoiceFiles, orders } from '../features/orders/orders.tables.ts'
import { providerOperations } from '../features/payments/operations/operations.tables.ts'
import { quotes } from '../features/quotes/quotes.tables.ts'
import { cancellations } from '../features/subscriptions/auto-renewal/cancellations.tables.ts'
import { supportSessions } from '../features/support-sessions/support-sessions.tables.ts'
import { invitations } from '../features/team/invitations/invitations.tables.ts'
import { transferCodes } from '../features/transfers/transfers.tables.ts'
import { heldKey, newEmailDevice, newKeyDevice, newSeat, newSubscription } from './factories.ts'
import type { newWorld } from './world.ts'

type World = Awaited<ReturnType<typeof newWorld>>

/** Texts that stand for personal data, each unlikely to be anywhere by chance. */
export const personal = ['Quennell', 'Kantstra', '0301234567', 'Analytical', '192.0.2.77', 'quennells-laptop', 'visa']

/** A member with something in every noun, whose subscription has ended, and who is in the team of another one. */
export async function memberWithEverything(world: World) {
  const { db } = world
  const now = new Date('2026-05-01T00:00:00Z')
  const name = { firstName: 'Ada', lastName: 'Quennell' }
  const email = `ada-${randomUUID()}@quennell.test`
  const member = await world.member({ ...name, email, phone: '0301234567', company: 'Analytical' })
  const owner = await world.member({ firstName: 'Bo', lastName: 'Owner' })
  const [memberId, createdAt] = [member.id, now]

  await db.insert(identities).values({ provider: 'cas', subject: `sub-${email}`, memberId, createdAt })
  await db.insert(addresses).values({
    ...{ ...name, memberId, country: 'DE', state: 'BE', city: 'Berlin', zip: '10623', street: 'Kantstraße 24' },
    ...{ contactEmail: email, isDefault: true, createdAt },
  })
  await db.insert(quotes).values({
    ...{ memberId, kind: 'new', productCode: 'EDITOR', seats: 5, term: 'yearly', country: 'DE', createdAt },
    ...{ company: 'Analytical', message: 'Quennell asks' },
  })
  const ended = { status: 'canceled', autoRenew: false, endedAt: now, providerId: null } as const
  const lastDecline = { cardId: 'pm_1', brand: 'visa', last4: '4242', at: now.toISOString() }
  const own = await newSubscription(world, member, { ...ended, lastDecline })
  await db.insert(cancellations).values({
    ...{ id: randomUUID(), subscriptionId: own.id, memberId, reasons: [1], comment: 'Quennell left', createdAt },
  })
  const team = await newSubscription(world, owner)
  const seat = await newSeat(world, team.id, { email, memberId })
  await newEmailDevice(world, seat.id, { hostName: 'quennells-laptop' })
  const invited = await newSeat(world, (await newSubscription(world, owner)).id, { email, status: 'Pending' })
  await db.insert(invitations).values({
    ...{ tokenHash: randomUUID(), seatId: invited.id, subscriptionId: invited.subscriptionId, email },
    ...{ invitedBy: owner.id, sentAt: now },
  })
  const { key } = await heldKey(world, member)
  await newKeyDevice(world, key.id, { pcName: 'quennells-laptop' })

  const buyer = { name: 'Ada Quennell', company: 'Analytical', email, address: ['Kantstraße 24'], country: 'DE' }
  const orderNumber = `A-${randomUUID().slice(0, 8)}`
  await db.insert(orders).values({
    ...{ orderNumber, memberId, invoiceNumber: `I-${orderNumber}`, status: 'CO', lines: [], amount: 1000 },
    ...{ currency: 'USD', date: now, origin: 'charged', invoiceUrl: '', buyer, locale: 'en-us' },
  })
  await db.insert(invoiceFiles).values({ orderNumber, kind: 'invoice', pdf: Buffer.from('%PDF'), createdAt })
  const operation = { memberId, provider: 'card', subject: 's', status: 'succeeded', requestId: 'r' } as const
  const times = { createdAt, nextCheckAt: now, resolvedAt: now }
  await db.insert(providerOperations).values([
    { ...operation, ...times, kind: 'customer.create', input: { memberId, email }, address: '192.0.2.77' },
    { ...operation, ...times, kind: 'card.update', input: { before: name, after: { street: 'Kantstraße 24' } } },
  ])
  await db.insert(supportSessions).values({
    ...{ tokenHash: randomUUID(), ticketHash: 't', agentSubject: 'agent', agentName: 'Kim', memberId },
    ...{ reason: 'Quennell called', ticket: 'T-1', startedAt: now, endsAt: now },
  })
  await db.insert(transferCodes).values({
    ...{ memberId: owner.id, recipientId: memberId, email, currentHash: 'x', recipientHash: 'y', currentTriesLeft: 5 },
    ...{ recipientTriesLeft: 5, offer: { subscriptions: [], card: { brand: 'visa', last4: '4242' } } },
    ...{ sentAt: now, expiresAt: now },
  })
  await db.insert(events).values({ type: 'seat.changed', data: { email: email.toUpperCase() }, createdAt })
  await db.transaction(async (tx) => {
    const actor = { id: memberId, address: '192.0.2.77', requestId: 'r' }
    const details = { email, note: `to\n${email}` }
    await recordIn(tx, owner.id, actor, { action: 'seat.joined', target: seat.id, details, now })
    await recordIn(tx, memberId, actor, { action: 'profile.updated', target: memberId, details: { after: name }, now })
    await recordIn(tx, memberId, actor, { action: 'identity.joined', target: `sub-${email}`, now })
  })
  return { member, owner, email, seat, key, orderNumber, own }
}

/** Every row of every table, as text. */
export async function everything({ db }: Pick<World, 'db'>): Promise<string> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'account' order by 1`,
  )
  const lines: string[] = []
  for (const { name } of rows) {
    const found = await db.execute<{ line: string }>(sql.raw(`select t::text as line from ${name} t order by 1`))
    lines.push(...found.rows.map(({ line }) => `${name} ${line}`))
  }
  return lines.join('\n')
}
