import { listSubscriptionUsers } from '@atrium/contract/team.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { newProduct, newSeat, newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

test('those who manage a subscription see its users, the Owner first', async () => {
  await using world = await newWorld()
  const [owner, setup] = [await world.member({ email: 'zoe@example.test' }), await world.member()]
  const product = await newProduct(world)
  const { id } = await newSubscription(world, owner, { productCode: product.code, userCount: 5, orgCode: 'ORG-1' })
  await newSeat(world, id, { email: 'b@example.test', memberId: setup.id, type: 3, isUse: false })
  const invited = await newSeat(world, id, { email: 'a@example.test', status: 'Pending', isUse: false })
  await newSeat(world, id, { email: 'gone@example.test', removedAt: new Date() })

  const { body } = await world.as(setup).send(listSubscriptionUsers, { params: { sid: id }, query: {} })
  expect(body.subscribeDetail).toEqual({
    appName: product.name,
    appCode: product.code,
    orgCode: 'ORG-1',
    total: 3,
    userType: 3,
    userCount: 5,
    joinCount: 2,
    heldCount: 1,
    heldUntil: '2026-06-08T09:30:00.000Z',
    canAdd: 1,
    hasSetupAdmins: 1,
  })
  expect(body.allData.map(({ email, type, status, isUse }) => [email, type, status, isUse])).toEqual([
    ['zoe@example.test', 2, 'Accepted', 1],
    ['a@example.test', 0, 'Pending', 0],
    ['b@example.test', 3, 'Accepted', 0],
  ])
  expect(body.allData[1]?.distributionUuid).toBe(invited.id)
  const last = await world
    .as(owner)
    .send(listSubscriptionUsers, { params: { sid: id }, query: { page: 2, pageSize: 2 } })
  expect(last.body.allData).toHaveLength(1)
})

test('a Member is refused; for strangers the subscription does not exist', async () => {
  await using world = await newWorld()
  const [owner, member, invited, outsider] = [
    await world.member(),
    await world.member(),
    await world.member(),
    await world.member(),
  ]
  const { id } = await newSubscription(world, owner)
  await newSeat(world, id, { memberId: member.id, email: member.email })
  await newSeat(world, id, { email: invited.email, type: 1, status: 'Pending' })

  const asked = (sid: string, who = outsider) =>
    world.as(who).send(listSubscriptionUsers, { params: { sid }, query: {} })
  expect((await asked(id, member)).body.code).toBe('not_manager')
  const [foreign, missing] = [await asked(id), await asked('sub-none')]
  expect(foreign.status).toBe(404)
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  expect((await asked(id, invited)).status).toBe(404)
  expect((await asked(id, owner)).status).toBe(200)
})

test('a previous Owner is a Member, whatever the type of their seat', async () => {
  await using world = await newWorld()
  const [before, owner] = [await world.member(), await world.member()]
  const { id } = await newSubscription(world, before)
  await world.db.update(subscriptions).set({ memberId: owner.id }).where(eq(subscriptions.id, id))

  const asked = (who: typeof owner) => world.as(who).send(listSubscriptionUsers, { params: { sid: id }, query: {} })
  expect((await asked(before)).body.code).toBe('not_manager')
  expect((await asked(owner)).body.subscribeDetail.userType).toBe(2)
})

test('an Admin of one subscription has no rights in another', async () => {
  await using world = await newWorld()
  const [admin, owner, other] = [await world.member(), await world.member(), await world.member()]
  const { id: own } = await newSubscription(world, owner)
  const { id: foreign } = await newSubscription(world, other)
  await newSeat(world, own, { memberId: admin.id, email: admin.email, type: 1 })

  const asked = async (sid: string) =>
    (await world.as(admin).send(listSubscriptionUsers, { params: { sid }, query: {} })).status
  expect([await asked(own), await asked(foreign)]).toEqual([200, 404])
})

test('the users of a foreign subscription are not counted', async () => {
  await using world = await newWorld()
  const [owner, outsider] = [await world.member(), await world.member()]
  const { id } = await newSubscription(world, owner)

  const counts = async (member: typeof owner) => (await plansOfAsking(world, member, id)).flatMap(countsOfSeats)
  expect((await counts(owner)).filter((runs) => runs > 0)).not.toEqual([])
  expect((await counts(outsider)).filter((runs) => runs > 0)).toEqual([])
})

interface Plan {
  Alias?: string
  'Actual Loops': number
  Plans?: Plan[]
}

/** The query plans of listing users, statement by statement. */
async function plansOfAsking(world: World, member: TestMember, sid: string): Promise<Plan[]> {
  const asked = vi.spyOn(world.db.$client, 'query')
  await world.as(member).send(listSubscriptionUsers, { params: { sid }, query: {} })
  const statements = asked.mock.calls.map(([statement, values]) => ({ text: textOf(statement), values }))
  asked.mockRestore()

  const plans: Plan[] = []
  for (const { text, values } of statements.filter((statement) => statement.text.startsWith('select'))) {
    const explain = `explain (analyze, format json) ${text}`
    const { rows } = await world.db.$client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain, asArray(values))
    plans.push(...rows.map((row) => row['QUERY PLAN'][0].Plan))
  }
  return plans
}

const textOf = (statement: unknown) =>
  z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]).parse(statement)
const asArray = (values: unknown) => z.array(z.unknown()).catch([]).parse(values)

/** How often each seat count ran. */
function countsOfSeats({ Alias, 'Actual Loops': loops, Plans = [] }: Plan): number[] {
  const isCount = ['listed', 'taken', 'held'].includes(Alias ?? '')
  return [...(isCount ? [loops] : []), ...Plans.flatMap(countsOfSeats)]
}
