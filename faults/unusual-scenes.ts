import { z } from 'zod'
import { planAhead } from '../apps/account-server/src/test/planned-change.ts'
import { type Bought, bought, buyingMore, customerOf, type Kind, post, type Scene, switchOf } from './change-scenes.ts'
import { statusAtPaypal, subscribeAtPaypal } from './soak/paypal.ts'
import { type Stage, waitUntil } from './stage.ts'
import { transferringOf } from './transfer-scenes.ts'
import { limitSeconds } from './verdict.ts'

const activity = 'lock table account.activity in exclusive mode'
const operations = 'lock table account.provider_operations in share row exclusive mode'
const update = /^POST \/v1\/subscriptions\/\w+ /
const release = /^POST \/v1\/subscription_schedules\/\w+\/release /

/** What few people have: a planned change, a second customer, a purchase that only an address links, and PayPal's odd beginnings. */
export const unusualKinds: readonly Kind[] = [
  {
    kind: 'subscription.turn_off_renewal, of a planned change',
    request: release,
    applyLock: activity,
    prepare: async (stage) => turningOffPlanned(stage, await planned(stage)),
  },
  {
    kind: 'subscription.end_moved, of a planned change',
    request: release,
    applyLock: operations,
    prepare: async (stage) => transferringOf(stage, await planned(stage)),
  },
  {
    kind: 'subscription.change, of a second customer',
    request: update,
    applyLock: activity,
    prepare: async (stage) => buyingMore(stage, await ofSecondCustomer(stage)),
  },
  {
    kind: 'subscription.end_moved, of a second customer',
    request: update,
    applyLock: operations,
    prepare: async (stage) => transferringOf(stage, await ofSecondCustomer(stage)),
  },
  {
    kind: 'subscription.turn_off_renewal, known by an address',
    request: update,
    applyLock: activity,
    prepare: async (stage) => switchOf(stage, await bought(stage, { isTyped: true }), true),
  },
  {
    kind: 'subscription.change_card, known by an address',
    request: update,
    applyLock: activity,
    prepare: payingWithOwnCard,
  },
  {
    kind: 'subscription.turn_off_renewal, at PayPal',
    request: /^POST \/v1\/billing\/subscriptions\/[\w-]+\/suspend /,
    applyLock: activity,
    prepare: (stage) => turningOffAtPaypal(stage, { ends: 'SUSPENDED' }),
  },
  {
    kind: 'subscription.turn_off_renewal, at PayPal before it begins',
    request: /^POST \/v1\/billing\/subscriptions\/[\w-]+\/cancel /,
    applyLock: activity,
    prepare: (stage) => turningOffAtPaypal(stage, { ends: 'CANCELLED', beginsAt: new Date(Date.now() + 90 * dayMs) }),
  },
]

const dayMs = 86_400_000

/** One seat is to be left from the next period on. */
async function planned(stage: Stage): Promise<Bought> {
  const one = await bought(stage)
  await planAhead(stage, one.sid, { quantity: 1 })
  await isThere(stage, 'the plan', one.sid, 'next_plan is not null')
  return one
}

/** Their main customer is another one. */
async function ofSecondCustomer(stage: Stage): Promise<Bought> {
  const { person } = await customerOf(stage)
  return bought(stage, { person })
}

const Told = z.object({ planned: z.string() })

async function turningOffPlanned(stage: Stage, one: Bought): Promise<Scene> {
  const { body } = await stage.send(one.person, post('check-cancel-sr', { sid: one.sid }))
  return switchOf(stage, one, true, Told.parse(body).planned)
}

/** In place of the card that was entered at a checkout, one that the member puts on file. */
async function payingWithOwnCard(stage: Stage): Promise<Scene> {
  const { person, sid } = await bought(stage, { isTyped: true })
  const paymentMethodId = await stage.createPaymentMethod()
  await stage.send(person, post(`subscriptions/${sid}/setup-intents`, { paymentMethodId }))
  return {
    person,
    send: () => stage.send(person, post(`subscriptions/${sid}/card`, { paymentMethodId })),
    async state() {
      const { default_payment_method: payer } = await stage.stripe.subscriptions.retrieve(sid)
      const { rows } = await stage.query<{ own_card: string }>(
        'select own_card from account.subscriptions where id = $1',
        [sid],
      )
      const nothing = { charged: 0, ordered: 0 }
      return {
        provider: String(payer ?? ''),
        ours: String(rows[0]?.own_card),
        ...nothing,
        isDone: payer === paymentMethodId,
      }
    },
  }
}

/** @param ends how it stands at PayPal afterwards */
async function turningOffAtPaypal(stage: Stage, { ends, beginsAt }: { ends: string; beginsAt?: Date }): Promise<Scene> {
  const person = await stage.person()
  const { rows: plans } = await stage.query<{ id: string }>(
    `select id from account.provider_prices
     where provider = 'paypal' and product_code = 'FPEPB' and term = 'monthly' and currency = 'USD' and is_current`,
    [],
  )
  const bought = { plan: plans[0]?.id ?? '', quantity: 2, email: person.email }
  const sid = await subscribeAtPaypal(stage, { ...bought, ...(beginsAt && { beginsAt }) })
  await isThere(stage, 'the purchase', sid, 'auto_renew')
  return {
    person,
    send: () => stage.send(person, post('subscription-cancel', { sid, reasons: [1] })),
    async state() {
      const isOff = (await statusAtPaypal(stage, sid)) === ends
      const { rows } = await stage.query<{ auto_renew: boolean }>(
        'select auto_renew from account.subscriptions where id = $1',
        [sid],
      )
      return { provider: `${!isOff}`, ours: `${rows[0]?.auto_renew}`, charged: 0, ordered: 0, isDone: isOff }
    },
  }
}

async function isThere({ query }: Stage, what: string, sid: string, condition: string): Promise<void> {
  const statement = `select from account.subscriptions where id = $1 and ${condition}`
  await waitUntil(`${what} is here`, async () => (await query(statement, [sid])).rows.length > 0, limitSeconds)
}
