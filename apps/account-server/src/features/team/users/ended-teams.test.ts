import { acceptInvitation, readInvitation } from '@atrium/contract/invitations.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { addSubscriptionUsers, listSubscriptionUsers } from '@atrium/contract/team.ts'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../../commands/link-customer.ts'
import { newSeat, newSubscription } from '../../../test/factories.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { newWorld } from '../../../test/world.ts'
import { activity } from '../../activity/activity.tables.ts'
import { events } from '../../events/events.tables.ts'
import { mailQueue } from '../../mail/mail.writes.ts'
import { endedSeatsQueue } from '../../subscriptions/ownership/end-team.writes.ts'
import { seats } from '../../subscriptions/seats.tables.ts'
import { tellOfEndedSeat } from './ended-seats.service.ts'

const sandbox = await sandboxOfFile()

/** Whose address was typed has let in a Setup Admin, and has invited a Member, before it is known whose the purchase is. */
async function mistakenTeam() {
  const world = await typedPurchase(sandbox)
  const { sid, caller } = world
  const [right, admin, late] = [await world.member(), await world.member(), await world.member()]
  const invite = (as: typeof caller, email: string, isSetupAdmin: boolean) => {
    const setupType = isSetupAdmin ? ('setup-admin' as const) : ('member' as const)
    const body = { orgCode: '', emailList: [email], setupType, type: isSetupAdmin, lang: 'en-us' as const }
    return as.send(addSubscriptionUsers, { params: { sid }, body })
  }
  const emailsTo = (address: string) =>
    world.sent.flatMap(({ queue, data }) => (queue === mailQueue && Object(data).to === address ? [Object(data)] : []))
  const tokenOf = (address: string) =>
    /[?&]invitation=([\w-]{43})/.exec(String(emailsTo(address).at(-1)?.text))?.[1] ?? ''
  await invite(caller, admin.email, true)
  expect((await world.as(admin).send(acceptInvitation, { body: { token: tokenOf(admin.email) } })).status).toBe(200)
  await invite(caller, late.email, false)
  return {
    ...world,
    ...{ right, admin, late, emailsTo, token: tokenOf(late.email) },
    invite: (email: string) => invite(world.as(admin), email, false),
    accept: () => world.as(late).send(acceptInvitation, { body: { token: tokenOf(late.email) } }),
    async name() {
      await world.stripe.customers.update(world.otherCustomer, { metadata: { memberId: right.id } })
      await world.syncCustomer()
    },
    /** The jobs that were queued, each of them twice. */
    async work() {
      const jobs = {
        async sendEach(_tx: unknown, queue: string, list: readonly { id: string; data: object }[]) {
          for (const { data } of list) world.sent.push({ queue, data })
        },
      }
      for (const { queue, data } of [...world.sent]) {
        if (queue === endedSeatsQueue) await tellOfEndedSeat(world.deps, jobs, { seatId: Object(data).seatId })
      }
    },
    async team() {
      const held = await world.db
        .select({ memberId: seats.memberId, type: seats.type })
        .from(seats)
        .where(and(eq(seats.subscriptionId, sid), isNull(seats.removedAt)))
      return held
    },
  }
}

type World = Awaited<ReturnType<typeof mistakenTeam>>

const ways = {
  'the vendor’s key writes whose it is to the customer': (world: World) => world.name(),
  'the vendor’s key writes whose it is to the subscription': async (world: World) => {
    await world.stripe.subscriptions.update(world.sid, { metadata: { memberId: world.right.id } })
    await world.sync(world.sid)
  },
  'the operator says whose it is': async (world: World) => {
    expect(await world.linkCustomer(world.right.email)).toBe(0)
  },
} as const

test.each(Object.entries(ways))('whom an Owner by address has let in is gone once %s', async (_how, give) => {
  await using world = await mistakenTeam()
  const { right, admin, late, buyer, sid } = world
  await give(world)
  expect(await world.team()).toEqual([{ memberId: right.id, type: seatTypes.owner }])
  const users = { params: { sid }, query: {} }
  expect((await world.as(admin).send(listSubscriptionUsers, users)).status).toBe(404)
  expect((await world.invite(buyer.email)).status).toBe(404)
  expect((await world.accept()).body).toMatchObject({ code: 'invitation_void', data: { state: 'withdrawn' } })
  const read = (await world.visitor.send(readInvitation, { body: { token: world.token } })).body
  expect(read).toMatchObject({ state: 'withdrawn', inviterName: '', inviterEmail: '' })
  expect((await world.as(right).send(listSubscriptionUsers, users)).status).toBe(200)

  const ended = inArray(activity.action, ['seat.removed', 'seat.invitation_withdrawn'])
  for (const { id } of [buyer, right]) {
    const rows = await world.db
      .select()
      .from(activity)
      .where(and(eq(activity.memberId, id), ended))
    expect(rows.map(({ action, details }) => [action, Object(details).email]).sort()).toEqual([
      ['seat.invitation_withdrawn', late.email],
      ['seat.removed', admin.email],
    ])
  }

  await world.work()
  expect(world.emailsTo(admin.email).at(-1)).toMatchObject({ subject: expect.stringContaining('You were removed') })
  expect(world.emailsTo(admin.email).at(-1)?.text).not.toContain(right.email)
  expect(world.emailsTo(late.email)).toHaveLength(1)
  const told = await world.db.select().from(events).where(eq(events.type, 'seat.changed'))
  const happened = told.map(({ data }) => Object(data)).filter((data) => data.subscriptionId === sid && data.isRemoved)
  expect(happened.map((data) => data.happened).sort()).toEqual(['invitation_withdrawn', 'removed'])
})

test('an invitation that is accepted beside it leaves nobody in the team', async () => {
  await using world = await mistakenTeam()
  const [accepted] = await Promise.all([world.accept(), world.name()])
  expect([200, 409]).toContain(accepted.status)
  expect(await world.team()).toEqual([{ memberId: world.right.id, type: seatTypes.owner }])
})

test('an invitation that is accepted before the end of the team is stored is void', async () => {
  await using world = await mistakenTeam()
  const { jobs } = world.deps
  const send = jobs.send
  const accepted = Promise.withResolvers<Awaited<ReturnType<typeof world.accept>>>()
  jobs.send = async (...job) => {
    await send(...job)
    if (job[1] !== endedSeatsQueue) return
    jobs.send = send
    void world.accept().then(accepted.resolve, accepted.reject)
    const waits = sql`datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(() => world.db.$count(sql`pg_stat_activity`, waits)).toBeGreaterThan(0)
  }
  await world.name()
  expect((await accepted.promise).body).toMatchObject({ code: 'invitation_void', data: { state: 'withdrawn' } })
  expect(await world.team()).toEqual([{ memberId: world.right.id, type: seatTypes.owner }])
})

test('who was invited there themselves is the Owner', async () => {
  await using world = await mistakenTeam()
  const { right, sid } = world
  await newSeat(world, sid, { email: right.email, status: 'Pending', isUse: false })
  await world.name()
  expect(await world.team()).toEqual([{ memberId: right.id, type: seatTypes.owner }])
})

test('of PayPal’s subscription, known by an address alone, the team ends too', async () => {
  await using world = await newWorld()
  const [wrong, right, colleague] = [await world.member(), await world.member(), await world.member()]
  const id = `I-${wrong.id.slice(0, 8).toUpperCase()}`
  await newSubscription(world, wrong, { channel: 'paypal', proof: 'address', id, providerId: id, userCount: 5 })
  await newSeat(world, id, { memberId: colleague.id, email: colleague.email, type: seatTypes.setupAdmin })
  const given = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([right.email, id])
  expect(await given?.(world.db, () => undefined, { ...world.config, now: world.deps.clock() })).toBe(0)
  const held = await world.db
    .select()
    .from(seats)
    .where(and(eq(seats.subscriptionId, id), isNull(seats.removedAt)))
  expect(held).toMatchObject([{ memberId: right.id, type: seatTypes.owner }])
})
