import { checkCancelSr, subscriptionCancel, subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import { checkCoupon } from '@atrium/contract/coupons.ts'
import { enablePooling } from '@atrium/contract/envelope-sharing.ts'
import { finishOverduePayment, payOverdue } from '@atrium/contract/overdue-payments.ts'
import { planChangeTypes } from '@atrium/contract/plan-change-types.ts'
import * as plans from '@atrium/contract/plan-changes.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { paypalRenewSubscription, subscriptionStatuses } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newProduct, newSeat, newSubscription } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { subscriptions } from './subscriptions.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>
type Caller = ReturnType<World['as']>

const quoteId = '00000000-0000-4000-8000-000000000000'

/** Everything that an Owner can do with a subscription, and the states from which it begins. */
const actions = {
  'check-cancel-sr': {
    from: ['active', 'trialing'],
    send: (as: Caller, sid: string) => as.send(checkCancelSr, { body: { sid } }),
  },
  cancel: {
    from: ['active', 'trialing'],
    send: (as: Caller, sid: string) => as.send(subscriptionCancel, { body: { sid, reasons: [1] } }),
  },
  resume: {
    from: ['active', 'trialing'],
    send: (as: Caller, sid: string) => as.send(subscriptionRenew, { body: { sid } }),
  },
  'envelope sharing': {
    from: ['active'],
    send: (as: Caller, sid: string) => as.send(enablePooling, { body: { sid } }),
  },
  'confirm at PayPal': {
    from: ['active'],
    send: (as: Caller, sid: string) => as.send(paypalRenewSubscription, { body: { sid } }),
  },
  'pay what is due': {
    from: ['past_due'],
    send: (as: Caller, sid: string) => as.send(payOverdue, { params: { sid }, body: { amount: 100, currency: 'USD' } }),
  },
  ...Object.fromEntries(
    planChangeTypes.flatMap((type) => [
      [
        `quote ${type}`,
        { from: ['active'], send: (as: Caller, sid: string) => as.send(plans.changePlanFrom, { body: { sid, type } }) },
      ],
      [
        `commit ${type}`,
        {
          from: ['active'],
          send: (as: Caller, sid: string) =>
            as.send(plans.changePlan, { body: { subscriptionId: sid, quoteId, type } }),
        },
      ],
    ]),
  ),
}

/** What asks for nothing new: without anything open there is nothing to finish, for nobody. */
const finishing = {
  'after the bank': (as: Caller, sid: string) => as.send(plans.memberPlanPlace, { body: { subscriptionId: sid } }),
  'after PayPal': (as: Caller, sid: string) => as.send(plans.paypalCallBack, { body: { subscriptionId: sid } }),
  'after a payment': (as: Caller, sid: string) => as.send(finishOverduePayment, { params: { sid } }),
}

let world: World

beforeAll(async () => {
  world = await newWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

async function stage(status: (typeof subscriptionStatuses)[number]) {
  const product = await newProduct(world, {
    flags: ['envelopeSharing', 'connectable'],
    prices: [
      { term: 'monthly', amount: 1000, currency: 'USD' },
      { term: 'yearly', amount: 9600, currency: 'USD' },
    ],
  })
  const owner = await world.member()
  const row = await newSubscription(world, owner, {
    ...{ status, productCode: product.code, term: 'monthly', price: 3000, currency: 'USD' },
    ...(status === 'past_due' && { pastDueSince: world.deps.clock() }),
    ...(status === 'canceled' && { endedAt: world.deps.clock() }),
    ...(status === 'offline-purchase' && { origin: 'offline', channel: 'invoice' }),
    ...(status === 'given' && { origin: 'given', channel: 'invoice' }),
  })
  const seated = async (type: 0 | 1 | 3) => {
    const member = await world.member()
    await newSeat(world, row.id, { memberId: member.id, email: member.email, type })
    return world.as(member)
  }
  return { row, owner: world.as(owner), seated, stranger: world.as(await world.member()) }
}

const comparable = (body: object) => ({ ...body, requestId: '' })

async function stored(id: string) {
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))
  return row
}

const operationCount = () => world.db.$count(providerOperations)

test.each(subscriptionStatuses.flatMap((status) => Object.keys(actions).map((name) => [status, name] as const)))(
  '%s, %s: of the Owner alone, somebody else’s looks missing, and nothing happens from a wrong state',
  async (status, name) => {
    const action = actions[name]
    if (!action) throw new Error(`no action ${name}`)
    const { row, owner, seated, stranger } = await stage(status)
    const before = await operationCount()

    const [foreign, missing] = [await action.send(stranger, row.id), await action.send(stranger, 'sub-none')]
    expect([foreign.status, comparable(foreign.body)]).toEqual([404, comparable(missing.body)])
    for (const type of [seatTypes.member, seatTypes.admin, seatTypes.setupAdmin] as const) {
      const refused = await action.send(await seated(type), row.id)
      expect([refused.status, refused.body]).toMatchObject([403, { code: 'not_owner' }])
    }
    if (!action.from.includes(status)) {
      const { status: answered, body } = await action.send(owner, row.id)
      expect([answered, body]).toMatchObject([409, { code: expect.any(String) }])
    }
    expect(await stored(row.id)).toMatchObject({ status, userCount: 3, autoRenew: true, isPooled: false })
    expect(await operationCount()).toBe(before)
  },
)

test.each(Object.keys(finishing))(
  '%s there is nothing to finish, whoever asks and whatever the state',
  async (name) => {
    const finish = finishing[name === 'after the bank' || name === 'after PayPal' ? name : 'after a payment']
    for (const status of subscriptionStatuses) {
      const { row, owner, seated, stranger } = await stage(status)
      for (const caller of [owner, stranger, await seated(seatTypes.admin)]) {
        expect(await finish(caller, row.id)).toMatchObject({ status: 409, body: { code: 'nothing_to_finish' } })
      }
    }
  },
)

test('a coupon is of the Owner’s purchase alone', async () => {
  const { row, seated, stranger } = await stage('active')
  const ask = (as: Caller) => as.send(checkCoupon, { body: { sid: row.id, code: 'THANKS20', type: 'buy-more' } })
  expect((await ask(stranger)).status).toBe(404)
  expect((await ask(await seated(seatTypes.admin))).body.code).toBe('not_owner')
})

test.each(planChangeTypes)(
  '%s: what was bought through a partner is not changed here, and shows no price',
  async (type) => {
    const { row, owner } = await stage('active')
    const prepaid = type === 'techsoup-renew' && { term: 'paid_yearly' as const }
    await world.db
      .update(subscriptions)
      .set({ isPriceHidden: true, ...prepaid })
      .where(eq(subscriptions.id, row.id))
    const reply = await owner.send(plans.changePlanFrom, { body: { sid: row.id, type } })
    expect(reply).toMatchObject({ status: 409, body: { code: 'bought_through_partner' } })
    expect(JSON.stringify(reply.body)).not.toContain('price')
  },
)
