import { listAddresses } from '@atrium/contract/addresses.ts'
import { chooseRegion } from '@atrium/contract/cloud.ts'
import { deactivateEmailDevice, deactivateKeyDevice } from '@atrium/contract/devices.ts'
import { acceptInvitation } from '@atrium/contract/invitations.ts'
import { updateProfile } from '@atrium/contract/profile.ts'
import { addSubscriptionUsers } from '@atrium/contract/team.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { lockMember } from '../../db/members.queries.ts'
import { members } from '../../db/members.tables.ts'
import { newSeat, newSubscription } from '../../test/factories.ts'
import { load } from '../../test/import.ts'
import { everything, memberWithEverything, personal } from '../../test/personal-data.ts'
import { meanwhile } from '../../test/waiting.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { keyDevices } from '../devices/devices.tables.ts'
import { invoiceFiles, orders } from '../orders/orders.tables.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { eraseMember } from './erase-member.service.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const now = new Date('2026-06-01T09:30:00Z')

const secret = 'a secret of at least 32 characters'

function erase({ db }: Pick<World, 'db'>, email: string, { dryRun = false } = {}) {
  return eraseMember(db, { email, secret, pastDueDays: 21, dryRun, now })
}

async function traces(world: World, email: string) {
  const text = (await everything(world)).toLowerCase()
  return [...personal, email].filter((piece) => text.includes(piece.toLowerCase()))
}

test('nothing personal is left in any table, and orders, invoices and licenses are still there', async () => {
  await using world = await newWorld()
  const { member, email, orderNumber, key } = await memberWithEverything(world)
  expect(await traces(world, email)).toEqual([...personal, email])

  expect(await erase(world, email)).toMatchObject({ kind: 'erased', memberId: member.id, deleted: [], detached: [] })

  expect(await traces(world, email)).toEqual([])
  const [order] = await world.db.select().from(orders).where(eq(orders.orderNumber, orderNumber))
  expect(order).toMatchObject({ amount: 1000, memberId: member.id, buyer: { name: '', country: 'DE' } })
  expect(await world.db.$count(invoiceFiles, eq(invoiceFiles.orderNumber, orderNumber))).toBe(1)
  const [device] = await world.db.select().from(keyDevices).where(eq(keyDevices.keyId, key.id))
  expect(device).toMatchObject({ pcName: '', deactivatedAt: now, deactivatedBy: 'vendor' })
})

test('a person who is signed in is signed out, and another member notices nothing', async () => {
  await using world = await newWorld()
  const { member, owner, email } = await memberWithEverything(world)
  const list = (caller: { cookie: string }) => world.as(caller).send(listAddresses, {})
  expect((await list(member)).status).toBe(200)

  await erase(world, email)

  expect((await list(member)).status).toBe(401)
  expect((await list(owner)).status).toBe(200)
  const [row] = await world.db.select().from(members).where(eq(members.id, owner.id))
  expect(row).toMatchObject({ firstName: 'Bo', erasedAt: null })
})

type Everything = Awaited<ReturnType<typeof memberWithEverything>>
type Sent = Readonly<{ status: number; body: unknown }>

const common = { orgCode: '', lang: 'en-us' } as const
const someId = '00000000-0000-4000-8000-000000000000'

/** Changes of every kind that a member makes, by the noun. */
const changes: [noun: string, send: (world: World, prepared: Everything) => Promise<Sent>][] = [
  [
    'profile',
    (world, { member }) =>
      world
        .as(member)
        .send(updateProfile, { body: { firstName: 'Ada', lastName: 'Quennell', phone: '', company: '' } }),
  ],
  ['cloud', (world, { member }) => world.as(member).send(chooseRegion, { body: { region: 'eu' } })],
  [
    'team',
    (world, { member, own }) =>
      world.as(member).send(addSubscriptionUsers, {
        params: { sid: own.id },
        body: { ...common, emailList: ['new@quennell.test'], setupType: 'member', type: false },
      }),
  ],
  ['invitation', (world, { member }) => world.as(member).send(acceptInvitation, { body: { token: 'a'.repeat(43) } })],
  [
    'key device',
    (world, { member, key }) =>
      world.as(member).send(deactivateKeyDevice, { params: { id: someId }, body: { code: key.id } }),
  ],
  [
    'email device',
    (world, { member }) => world.as(member).send(deactivateEmailDevice, { params: { licenceId: someId } }),
  ],
]

test.each(changes)('a request that is under way when the erasure commits stores nothing: %s', async (_noun, send) => {
  await using world = await newWorld({ settings: { CLOUD_URL_EU: 'https://eu.cloud.example' } })
  const prepared = await memberWithEverything(world)
  const { member } = prepared
  const ofMember = eq(activity.memberId, member.id)
  const rows = await world.db.$count(activity, ofMember)

  const reply = await world.db.transaction(async (tx) => {
    await lockMember(tx, member)
    const sent = send(world, prepared)
    await expect.poll(() => waitingForLock(world)).toBe(1)
    await tx.update(members).set({ erasedAt: now, firstName: '', lastName: '' }).where(eq(members.id, member.id))
    return { sent }
  })

  expect(await reply.sent).toMatchObject({ status: 401, body: { code: 'signed_out' } })
  const [row] = await world.db.select().from(members).where(eq(members.id, member.id))
  expect(row).toMatchObject({ firstName: '', lastName: '' })
  expect(await world.db.$count(activity, ofMember)).toBe(rows)
})

/** Statements in this file's database that wait for a lock. */
async function waitingForLock({ db }: World): Promise<number | null> {
  const { rowCount } = await db.execute(
    sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount
}

test('seats in teams of others are free, and their Owners find that in their activity, without the address', async () => {
  await using world = await newWorld()
  const { owner, email, seat } = await memberWithEverything(world)

  await erase(world, email)

  const [freed] = await world.db.select().from(seats).where(eq(seats.id, seat.id))
  expect(freed).toMatchObject({ removedAt: now, email: `erased-${seat.id}@invalid` })
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, owner.id))
  const byOperator = rows.filter(({ actor }) => actor === 'operator').map(({ action }) => action)
  expect(byOperator.sort()).toEqual(['seat.invitation_withdrawn', 'seat.removed'])
  const joined = rows.find(({ action }) => action === 'seat.joined')
  expect(joined).toMatchObject({ address: null, details: { email: 'erased@invalid', note: 'to\nerased@invalid' } })
})

test('what the request that had invited the person was answered does not name them, and it is still not executed again', async () => {
  await using world = await newWorld()
  const owner = await world.member()
  const { id: sid, orgCode } = await newSubscription(world, owner)
  const email = `gone-${sid}@quennell.test`
  const body = { ...common, orgCode, emailList: [email], setupType: 'member' as const, type: false }
  const invite = () => world.as(owner).send(addSubscriptionUsers, { params: { sid }, body }, `key-of-${sid}`)
  expect((await invite()).status).toBe(200)
  expect(await erase(world, email)).toMatchObject({ kind: 'erased' })
  expect(await everything(world)).not.toContain(email)

  expect(await invite()).toMatchObject({ status: 200, body: { results: [{ result: 'invited' }] } })
  expect(await world.db.$count(seats, and(eq(seats.email, email), isNull(seats.removedAt)))).toBe(0)
})

test('one activity row says that it was done, without the address', async () => {
  await using world = await newWorld()
  const { member, email } = await memberWithEverything(world)
  await erase(world, email)
  const isOf = and(eq(activity.action, 'member.erased'), eq(activity.memberId, member.id))
  const rows = await world.db.select().from(activity).where(isOf)
  expect(rows).toMatchObject([{ memberId: member.id, actorKind: 'vendor', target: member.id, address: null }])
  expect(JSON.stringify(rows[0]?.details)).not.toContain('quennell')
})

test('a dry run says what would be done, and changes no row of any table', async () => {
  await using world = await newWorld()
  const { email } = await memberWithEverything(world)
  const before = await everything(world)

  const dry = await erase(world, email, { dryRun: true })

  expect(await everything(world)).toBe(before)
  expect(dry).toEqual(await erase(world, email))
  expect(await everything(world)).not.toBe(before)
})

test('the second time there is nobody, and nothing changes', async () => {
  await using world = await newWorld()
  const { email } = await memberWithEverything(world)
  await erase(world, email)
  const after = await everything(world)
  expect(await erase(world, email)).toEqual({ kind: 'nobody' })
  expect(await everything(world)).toBe(after)
})

test('two at once erase once', async () => {
  await using world = await newWorld()
  const { email } = await memberWithEverything(world)
  const outcomes = await Promise.all([erase(world, email), erase(world, email)])
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['erased', 'nobody'])
})

test('an address that only an invitation has is erased too', async () => {
  await using world = await newWorld()
  const { id } = await newSubscription(world, await world.member())
  await newSeat(world, id, { email: 'invited@quennell.test', status: 'Pending' })

  expect(await erase(world, 'invited@quennell.test')).toMatchObject({
    kind: 'erased',
    memberId: null,
    rows: { seats: 1 },
  })
  expect(await traces(world, 'invited@quennell.test')).not.toContain('invited@quennell.test')
})

test('it is refused while anything of theirs runs, is unpaid or unwritten, and everything in the way is named', async () => {
  await using world = await newWorld()
  const { member, email, orderNumber, own } = await memberWithEverything(world)
  const running = await newSubscription(world, member)
  await newSeat(world, own.id)
  await world.db.insert(providerOperations).values({
    ...{ memberId: member.id, provider: 'card', kind: 'subscription.pay', subject: own.id, input: {} },
    ...{ status: 'pending', requestId: 'r', createdAt: now, nextCheckAt: now },
  })
  await world.db.execute(sql`delete from ${invoiceFiles} where order_number = ${orderNumber}`)
  const unpaid = {
    memberId: member.id,
    invoiceNumber: '',
    status: 'OP',
    lines: [],
    amount: 1,
    currency: 'USD',
  } as const
  const order = { ...unpaid, date: now, origin: 'charged', invoiceUrl: '', orderNumber: `Z-${orderNumber}` } as const
  await world.db.insert(orders).values(order)
  const before = await everything(world)

  expect(await erase(world, email)).toMatchObject({
    kind: 'refused',
    obstacles: [
      { kind: 'running_subscription', subscriptionId: running.id },
      { kind: 'team', subscriptionId: own.id, users: 1 },
      { kind: 'open_operation', operation: 'subscription.pay' },
      { kind: 'unwritten_invoice', orderNumber },
      { kind: 'unpaid_order', orderNumber: `Z-${orderNumber}` },
    ],
  })
  expect(await everything(world)).toBe(before)
})

test('two members with the address: both are named, and nothing is changed', async () => {
  await using world = await newWorld()
  const { member, email } = await memberWithEverything(world)
  const other = await world.member({ email, emailVerified: false })
  const outcome = await erase(world, email)
  if (outcome.kind !== 'several') throw new Error(outcome.kind)
  expect([...outcome.memberIds].sort()).toEqual([member.id, other.id].sort())
  expect(await world.db.$count(members, eq(members.email, email))).toBe(2)
})

test('an email to the person that still waits is deleted, one that names them to a colleague is not', async () => {
  const fail = () => {
    throw new Error('the mail server is away')
  }
  await using world = await newWorld({ work: true, mailServer: fail })
  const { owner, email } = await memberWithEverything(world)
  const waiting = { from: 'a@b.test', subject: 's', text: `about ${email}`, html: '', messageId: '<m@b.test>' }
  await world.db.transaction(async (tx) => {
    await world.deps.jobs.sendLater(tx, 'mail', { ...waiting, to: email }, { seconds: 600 })
    await world.deps.jobs.sendLater(tx, 'mail', { ...waiting, to: owner.email }, { seconds: 600 })
  })

  expect(await erase(world, email)).toMatchObject({ rows: { jobs: 1 } })

  const { rows } = await world.db.execute(sql`select data ->> 'to' as "to" from account_jobs.job where name = 'mail'`)
  expect(rows).toEqual([{ to: owner.email }])
})

test('who is erased while a file has lines about them stays erased', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { email } = member
  const [done, loaded] = await meanwhile(world, {
    hold: (tx) => lockMember(tx, member),
    act: () => erase(world, email),
    next: () => load(world, [{ type: 'member', email, firstName: 'Ada' }], { erasureSecret: secret }),
  })
  expect([done.kind, loaded.erased, loaded.applied]).toEqual(['erased', 1, 0])
  expect(await world.db.$count(members, eq(members.email, email))).toBe(0)
})
