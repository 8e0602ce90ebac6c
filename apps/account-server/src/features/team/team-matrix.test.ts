import { type SeatType, seatTypes } from '@atrium/contract/seat-types.ts'
import * as contract from '@atrium/contract/team.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newProduct, newSeat, newSubscription } from '../../test/factories.ts'
import type { Reply } from '../../test/reply.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import type { SeatRow } from './team.queries.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const { member, admin, owner, setupAdmin } = seatTypes
const targets = [
  'accepted Member',
  'accepted Admin',
  'accepted Setup Admin',
  'invited Member',
  'invited Setup Admin',
  'Owner',
  'self',
] as const
type Target = (typeof targets)[number]

interface Row {
  actor: string
  type: SeatType
  /** On whom they may act, and how; on the others they may do nothing. */
  may: Partial<Record<Target, readonly contract.TeamAction[]>>
}

/** 001 §4. */
const matrix: readonly Row[] = [
  {
    actor: 'Owner',
    type: owner,
    may: {
      'accepted Member': ['remove', 'change-role'],
      'accepted Admin': ['remove', 'change-role'],
      'accepted Setup Admin': ['remove', 'change-role'],
      'invited Member': ['resend', 'remove'],
      'invited Setup Admin': ['resend', 'remove'],
      Owner: ['deactivate'],
      self: ['deactivate'],
    },
  },
  {
    actor: 'Setup Admin',
    type: setupAdmin,
    may: {
      'accepted Member': ['remove', 'change-role'],
      'accepted Admin': ['remove', 'change-role'],
      'accepted Setup Admin': ['change-role'],
      'invited Member': ['resend', 'remove'],
      'invited Setup Admin': ['resend'],
    },
  },
  {
    actor: 'Admin',
    type: admin,
    may: {
      'accepted Member': ['change-role'],
      'accepted Admin': ['change-role'],
      'accepted Setup Admin': ['change-role'],
      'invited Member': ['resend'],
      'invited Setup Admin': ['resend'],
    },
  },
  { actor: 'Member', type: member, may: {} },
]

async function team(values: object = {}) {
  const world = await newWorld()
  const own = await world.member()
  const product = await newProduct(world, values)
  const { id, ownerSeat } = await newSubscription(world, own, { userCount: 20, productCode: product.code })
  return { world, own, ownerSeat, product, sid: id }
}
type Team = Awaited<ReturnType<typeof team>>

async function actorOf(
  { world, own, ownerSeat, sid }: Team,
  type: SeatType,
): Promise<{ who: TestMember; seat: SeatRow }> {
  if (type === owner) return { who: own, seat: ownerSeat }
  const who = await world.member()
  return {
    who,
    seat: await newSeat(world, sid, { memberId: who.id, email: who.email, type, isUse: type !== setupAdmin }),
  }
}

async function targetOf({ world, ownerSeat, sid }: Team, target: Target, self: SeatRow): Promise<SeatRow> {
  if (target === 'self') return self
  if (target === 'Owner') return ownerSeat
  const [status, ...role] = target.split(' ')
  const type = { Member: member, Admin: admin, 'Setup Admin': setupAdmin }[role.join(' ')] ?? member
  if (status === 'invited') return newSeat(world, sid, { type, status: 'Pending', isUse: false })
  const person = await world.member()
  return newSeat(world, sid, { type, memberId: person.id, email: person.email, isUse: type !== setupAdmin })
}

const rowOf = async ({ db }: World, id: string) => (await db.select().from(seats).where(eq(seats.id, id)))[0]
const activityOf = ({ db }: World, id: string) => db.$count(activity, eq(activity.target, id))

/** The call of an action as a page sends it that shows the row as it is. */
function act(
  world: World,
  who: TestMember,
  action: contract.TeamAction,
  { seat, appCode, sid }: { seat: SeatRow; appCode: string; sid: string },
): Promise<Reply<object>> {
  const { email, id: distributionUuid, type, status } = seat
  const common = { orgCode: 'ORG', email, lang: 'en-us' as const }
  const setupAdminFlag = type === setupAdmin ? (1 as const) : (0 as const)
  const params = { sid }
  const as = world.as(who)
  if (action === 'resend')
    return as.send(contract.resendInvitation, { params, body: { ...common, setupAdmin: setupAdminFlag } })
  if (action === 'change-role') {
    const next = type === member ? setupAdmin : member
    return as.send(contract.changeUserRole, {
      params,
      body: { ...common, type: next, setupAdmin: setupAdminFlag, distributionUuid },
    })
  }
  if (action === 'remove') {
    const body = {
      ...common,
      type: status === 'Pending' ? (1 as const) : (0 as const),
      setupAdmin: setupAdminFlag,
      distributionUuid,
    }
    return as.send(contract.removeSubscriptionUser, { params, body })
  }
  const body = { ...common, appCode, type: action === 'activate' ? (1 as const) : (0 as const), distributionUuid }
  return as.send(contract.switchUserLicense, { params, body })
}

const cases = matrix.flatMap(({ may, ...actor }) =>
  targets.map((target) => ({ ...actor, target, allowed: may[target] ?? [] })),
)

test.each(cases)('$actor on $target: $allowed', async ({ type, target, allowed }) => {
  const made = await team()
  await using world = made.world
  const { sid, product } = made
  const { who, seat: self } = await actorOf(made, type)
  if (type !== member) {
    const { email } = await targetOf(made, target, self)
    const list = await world
      .as(who)
      .send(contract.listSubscriptionUsers, { params: { sid }, query: { keyWord: email } })
    expect(list.body.allData.map(({ actions }) => actions)).toEqual([allowed])
  }

  for (const action of contract.teamActions) {
    const seat = await targetOf(made, target, self)
    const [before, rowsBefore] = [await rowOf(world, seat.id), await activityOf(world, seat.id)]
    const reply = await act(world, who, action, { seat, appCode: product.code, sid })
    const rows = (await activityOf(world, seat.id)) - rowsBefore
    if (allowed.includes(action)) expect([action, reply.status, rows]).toEqual([action, 200, 1])
    else {
      expect([403, 409]).toContain(reply.status)
      expect([action, rows, await rowOf(world, seat.id)]).toEqual([action, 0, before])
    }
    if (type === member) expect(reply.body).toMatchObject({ code: 'not_manager' })
  }
})

test('an Owner without a license can activate it, and nobody else can', async () => {
  const made = await team()
  await using world = made.world
  const { own, ownerSeat, sid, product } = made
  const at = { seat: ownerSeat, appCode: product.code, sid }
  expect((await act(world, own, 'deactivate', at)).status).toBe(200)
  const others = await Promise.all([admin, setupAdmin, member].map((type) => actorOf(made, type)))
  for (const { who } of others) expect((await act(world, who, 'activate', at)).status).toBe(403)
  expect(await rowOf(world, ownerSeat.id)).toMatchObject({ isUse: false })

  const query = { keyWord: own.email }
  const { body } = await world.as(own).send(contract.listSubscriptionUsers, { params: { sid }, query })
  expect(body.allData.map(({ actions }) => actions)).toEqual([['activate']])
  expect((await act(world, own, 'activate', at)).status).toBe(200)
  expect(await rowOf(world, ownerSeat.id)).toMatchObject({ isUse: true })
})

test('users of the AI assistant have no other role', async () => {
  const made = await team({ flags: ['aiAssistant'] })
  await using world = made.world
  const { own, sid, product } = made
  const seat = await targetOf(made, 'accepted Member', made.ownerSeat)
  const query = { keyWord: seat.email }
  const { body } = await world.as(own).send(contract.listSubscriptionUsers, { params: { sid }, query })
  expect(body.subscribeDetail.hasSetupAdmins).toBe(0)
  expect(body.allData.map(({ actions }) => actions)).toEqual([['remove']])

  const refused = await act(world, own, 'change-role', { seat, appCode: product.code, sid })
  expect([403, 409]).toContain(refused.status)
  expect(await rowOf(world, seat.id)).toEqual(seat)
})

test('as somebody of another subscription every action looks as if there were none', async () => {
  const made = await team()
  await using world = made.world
  const { sid, product } = made
  const others = await world.member()
  const { id: other } = await newSubscription(world, others)
  const seat = await targetOf(made, 'accepted Member', made.ownerSeat)
  const at = { seat, appCode: product.code }
  for (const action of contract.teamActions) {
    const [foreign, missing] = [
      await act(world, others, action, { ...at, sid }),
      await act(world, others, action, { ...at, sid: 'sub-none' }),
    ]
    expect([action, foreign.status]).toEqual([action, 404])
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
    // The seat of a foreign subscription is not one of the own.
    if (action !== 'resend') expect((await act(world, others, action, { ...at, sid: other })).status).toBe(404)
  }
  expect(await rowOf(world, seat.id)).toEqual(seat)
  expect((await act(world, made.own, 'remove', { ...at, sid })).status).toBe(200)
})
